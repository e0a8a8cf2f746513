#pragma once
// The families of block types. Each has a file in blocks/ (types, shapes, emitted code) and one in model/ (what
// computes), and one line here, in the order of the palette.

#define PLUMBLINE_BLOCK_FAMILIES(X) \
    X(Linear)                       \
    X(Convolution)                  \
    X(Pooling)                      \
    X(Normalisation)                \
    X(Activation)                   \
    X(Recurrent)                    \
    X(Attention)                    \
    X(Embedding)                    \
    X(Merge)                        \
    X(Tensor)                       \
    X(Regularisation)               \
    X(Package)
