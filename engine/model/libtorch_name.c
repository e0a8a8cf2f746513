/* All that a library of the name libtorch.so has to hold for the dynamic loader: see libtorch_name.h. */
extern const int plumbline_libtorch_name;
const int plumbline_libtorch_name = 1;
