#pragma once
// The source types there are, each in a file <type>_source.cpp: one line here.

#include "data/source.h"

#define PLUMBLINE_SOURCES(X) \
    X(csvSource)             \
    X(idxSource)             \
    X(imageFolderSource)     \
    X(generatedSource)

namespace plumbline::data {

#define PLUMBLINE_DECLARE(source) SourceType source();
PLUMBLINE_SOURCES(PLUMBLINE_DECLARE)
#undef PLUMBLINE_DECLARE

}  // namespace plumbline::data
