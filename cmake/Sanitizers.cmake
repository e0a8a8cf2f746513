# PLUMBLINE_SANITIZE=address,undefined or thread; set by the presets asan and tsan.
set(PLUMBLINE_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize takes them")
if(PLUMBLINE_SANITIZE)
  add_compile_options(-fsanitize=${PLUMBLINE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${PLUMBLINE_SANITIZE})
endif()
