# Strict for developers (the dev, asan, tsan and tidy presets), lenient for users' compilers.
option(PLUMBLINE_WARNINGS_AS_ERRORS "Stop the build at a warning" OFF)

add_library(plumbline_warnings INTERFACE)
target_compile_options(plumbline_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wformat=2
  $<$<BOOL:${PLUMBLINE_WARNINGS_AS_ERRORS}>:-Werror>)
