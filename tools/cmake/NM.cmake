# Settings and functions that every CMakeLists.txt of nm uses.
#
#   nm_add_library(NAME SOURCES ... [LINK ...])
#       A library without MLIR (Reference, Emulator, Runtime).
#   nm_add_mlir_library(NAME SOURCES ... [DEPENDS ...] [LINK ...])
#       A library on MLIR: shares one precompiled header with all others, since
#       MLIR's headers take 20 s a file without it.
#   nm_add_tool(NAME SOURCES ... [LINK ...])
#       An executable on MLIR.
#   nm_add_unittest(NAME [MLIR] SOURCES ... [LINK ...])
#       A gtest executable, on MLIR if so said; run by ctest and `check-nm-unit`.

# LLVM's version files refuse "22" (they compare major.minor), so ask ourselves.
find_package(MLIR REQUIRED CONFIG HINTS /usr/lib/llvm-22 $ENV{LLVM_PREFIX})
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "nm needs LLVM and MLIR 22, got ${LLVM_PACKAGE_VERSION} in "
                      "${LLVM_DIR}; give another prefix with -DMLIR_DIR=")
endif()
message(STATUS "nm: MLIR in ${MLIR_DIR}, LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
# LLVM's files name every tool of TableGen but this one.
set(LLVM_TABLEGEN_EXE "${LLVM_TOOLS_BINARY_DIR}/llvm-tblgen")

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

add_compile_options(-Wall -Wextra -Wno-unused-parameter)
if(NM_WERROR)
  add_compile_options(-Werror)
endif()
if(NM_ASSERTIONS)
  add_compile_definitions(NM_ASSERTIONS)
endif()
if(NM_SANITIZE)
  add_compile_options(-fsanitize=${NM_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${NM_SANITIZE})
  add_library(NMSanitizerOptions OBJECT
              "${CMAKE_SOURCE_DIR}/lib/Support/SanitizerOptions.cpp")
  # Linked into every executable, directly, as no symbol asks for it.
  set(NM_SANITIZER_OPTIONS $<TARGET_OBJECTS:NMSanitizerOptions>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports these inside LLVM's and the standard library's own templates.
  add_compile_options(-Wno-maybe-uninitialized -Wno-dangling-pointer
                      -Wno-array-bounds -Wno-stringop-overflow -Wno-restrict)
else()
  # Clang reports libstdc++'s own use of what it deprecates (std::stable_sort).
  add_compile_options(-Wno-deprecated-declarations)
endif()

include_directories("${CMAKE_SOURCE_DIR}/include" "${CMAKE_BINARY_DIR}/include")

function(nm_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
endfunction()

# Gathers all generated headers: they are cheap, so everything waits for them.
add_custom_target(NMTableGen)

# The precompiled header is built once, by this target, for all MLIR libraries.
add_library(NMPrecompiledHeader OBJECT
            "${CMAKE_SOURCE_DIR}/lib/Support/PrecompiledHeader.cpp")
set_target_properties(NMPrecompiledHeader PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(NMPrecompiledHeader SYSTEM PRIVATE
                           ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_precompile_headers(NMPrecompiledHeader PRIVATE
                          "${CMAKE_SOURCE_DIR}/lib/Support/PrecompiledHeader.h")

function(nm_use_mlir target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} SYSTEM PRIVATE
                             ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_precompile_headers(${target} REUSE_FROM NMPrecompiledHeader)
endfunction()

function(nm_add_mlir_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  nm_use_mlir(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  # Every generated header is cheap, so all of them come first.
  add_dependencies(${name} NMTableGen ${ARG_DEPENDS})
  # Static libraries are searched in order: nm's come before those they use.
  if(NM_STATIC)
    target_link_libraries(${name} PUBLIC ${NM_MLIR_LIBS})
  endif()
endfunction()

# What an executable links for LLVM and MLIR: the two shared libraries, or, with
# NM_STATIC, all of MLIR's and the parts of LLVM that it needs.
if(NM_STATIC)
  llvm_map_components_to_libnames(NM_LLVM_LIBS
    analysis asmparser bitreader bitwriter core executionengine frontendopenmp
    ipo irreader jitlink linker mc native nvptxcodegen nvptxdesc nvptxinfo option
    orcjit passes perfjitevents support target targetparser transformutils
    # MLIR's upstream passes initialize every target that LLVM has.
    AllTargetsAsmParsers AllTargetsCodeGens AllTargetsDescs AllTargetsInfos)
  # Debian's static MLIR libraries say that they need the shared libLLVM (and
  # some of them libMLIR), but link the static parts just as well.
  foreach(target ${MLIR_EXPORTED_TARGETS})
    get_target_property(needed ${target} INTERFACE_LINK_LIBRARIES)
    if(needed)
      list(REMOVE_ITEM needed LLVM MLIR "$<LINK_ONLY:LLVM>")
      set_target_properties(${target} PROPERTIES
        INTERFACE_LINK_LIBRARIES "${needed};${NM_LLVM_LIBS}")
    endif()
  endforeach()
  # Where the binary runs there may be no zstd either; Z3 is not used at all.
  find_library(NM_LIBZ libz.a)
  find_library(NM_LIBZSTD libzstd.a)
  if(NOT NM_LIBZ OR NOT NM_LIBZSTD)
    message(FATAL_ERROR "NM_STATIC needs libz.a and libzstd.a: install zlib1g-dev and "
                        "libzstd-dev, or run tools/scripts/setup.sh --static")
  endif()
  set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES
    "rt;${CMAKE_DL_LIBS};m;${NM_LIBZ};${NM_LIBZSTD};LLVMDemangle")
  get_property(NM_MLIR_DIALECT_LIBS GLOBAL PROPERTY MLIR_DIALECT_LIBS)
  get_property(NM_MLIR_CONVERSION_LIBS GLOBAL PROPERTY MLIR_CONVERSION_LIBS)
  get_property(NM_MLIR_EXTENSION_LIBS GLOBAL PROPERTY MLIR_EXTENSION_LIBS)
  get_property(NM_MLIR_TRANSLATION_LIBS GLOBAL PROPERTY MLIR_TRANSLATION_LIBS)
  set(NM_MLIR_LIBS ${NM_MLIR_DIALECT_LIBS} ${NM_MLIR_CONVERSION_LIBS}
      ${NM_MLIR_EXTENSION_LIBS} ${NM_MLIR_TRANSLATION_LIBS}
      MLIROptLib MLIRExecutionEngine MLIRNVVMTarget MLIRRegisterAllDialects
      MLIRRegisterAllExtensions MLIRRegisterAllPasses ${NM_LLVM_LIBS})
else()
  set(NM_MLIR_LIBS MLIR LLVM)
endif()

function(nm_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  # The sources are compiled as a library's are, to share the precompiled header.
  add_library(${name}Objects OBJECT ${ARG_SOURCES})
  nm_use_mlir(${name}Objects)
  add_dependencies(${name}Objects NMTableGen)
  add_executable(${name} $<TARGET_OBJECTS:${name}Objects> ${NM_SANITIZER_OPTIONS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} ${NM_MLIR_LIBS})
endfunction()

function(nm_add_unittest name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK" ${ARGN})
  find_package(GTest REQUIRED)
  if(ARG_MLIR)
    nm_add_tool(${name} SOURCES ${ARG_SOURCES} LINK ${ARG_LINK})
  else()
    add_executable(${name} ${ARG_SOURCES} ${NM_SANITIZER_OPTIONS})
    target_link_libraries(${name} PRIVATE ${ARG_LINK})
  endif()
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  set_property(GLOBAL APPEND PROPERTY NM_UNITTESTS ${name})
endfunction()
