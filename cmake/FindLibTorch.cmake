# LibTorch as the PyPI wheel lays it out, linked without CUDA and without Python.
# Looked for in PLUMBLINE_LIBTORCH (variable, then environment), then in the per-user cache that tools/fetch-libtorch
# fills. torch's own TorchConfig.cmake is not used: it asks for the CUDA toolkit.
# Gives the target LibTorch::LibTorch and LibTorch_LIBRARY_DIR.
set(PLUMBLINE_LIBTORCH "$ENV{PLUMBLINE_LIBTORCH}" CACHE PATH "Folder that holds LibTorch's include/ and lib/")
set(_libtorch_cache "$ENV{XDG_CACHE_HOME}")
if(NOT _libtorch_cache)
  set(_libtorch_cache "$ENV{HOME}/.cache")
endif()
set(_libtorch_roots "${PLUMBLINE_LIBTORCH}" "${PLUMBLINE_LIBTORCH}/torch"
                    "${_libtorch_cache}/plumbline/libtorch-2.13.0/torch")

find_path(LibTorch_INCLUDE_DIR ATen/core/Tensor.h PATHS ${_libtorch_roots} PATH_SUFFIXES include NO_DEFAULT_PATH)
find_library(LibTorch_CPU_LIBRARY torch_cpu PATHS ${_libtorch_roots} PATH_SUFFIXES lib NO_DEFAULT_PATH)
find_library(LibTorch_C10_LIBRARY c10 PATHS ${_libtorch_roots} PATH_SUFFIXES lib NO_DEFAULT_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "run tools/fetch-libtorch, or set PLUMBLINE_LIBTORCH to a folder that has include/ and lib/")

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
  get_filename_component(LibTorch_LIBRARY_DIR "${LibTorch_CPU_LIBRARY}" DIRECTORY)
  add_library(LibTorch::c10 UNKNOWN IMPORTED)
  set_target_properties(LibTorch::c10 PROPERTIES IMPORTED_LOCATION "${LibTorch_C10_LIBRARY}")
  add_library(LibTorch::LibTorch UNKNOWN IMPORTED)
  set_target_properties(LibTorch::LibTorch PROPERTIES IMPORTED_LOCATION "${LibTorch_CPU_LIBRARY}")
  target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE
    "${LibTorch_INCLUDE_DIR}" "${LibTorch_INCLUDE_DIR}/torch/csrc/api/include")
  target_link_libraries(LibTorch::LibTorch INTERFACE LibTorch::c10)
  # The wheel's include folder holds a newer fmt that hides the system's: it is used without its library.
  target_compile_definitions(LibTorch::LibTorch INTERFACE FMT_HEADER_ONLY=1)
  # The wheel's CPU library names CUDA's run-time and profiling stubs; they are found beside it when it is loaded.
  target_link_options(LibTorch::LibTorch INTERFACE
    "LINKER:--allow-shlib-undefined" "LINKER:-rpath-link,${LibTorch_LIBRARY_DIR}"
    "LINKER:-rpath-link,${LibTorch_LIBRARY_DIR}/../../nvidia/cu13/lib")
endif()
