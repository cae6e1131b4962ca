# What `cmake --install` puts where, by component:
#
#   runtime   the headers of the C API, libnm.so, the static libraries that are in it,
#             and the CMake package `nm` (nm::nm, nm::static)
#   tools     nm-compile, nm-run, nm-opt and the rest of what there is
#
# `cmake --install BUILD --component runtime` needs no more built than NMVM and NMLibrary.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(NM_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/nm")
set(NM_RUNTIME_LIBS NMVM NMRuntime NMProgram NMEmulator NMLayout NMSparsity
  NMNumbers)

install(DIRECTORY include/nm-c DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        COMPONENT runtime)
# Where nm is built it includes its own headers, elsewhere those that were installed.
foreach(library ${NM_RUNTIME_LIBS})
  target_include_directories(${library} INTERFACE
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
install(TARGETS ${NM_RUNTIME_LIBS} EXPORT nmTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime)
install(EXPORT nmTargets NAMESPACE nm:: DESTINATION "${NM_PACKAGE_DIR}"
        COMPONENT runtime)
# A module to CMake, which exports none to link with: nmConfig.cmake says where it is.
if(TARGET NMLibrary)
  install(TARGETS NMLibrary LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          COMPONENT runtime)
endif()

configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/nmConfig.cmake.in" "${CMAKE_BINARY_DIR}/nmConfig.cmake"
  INSTALL_DESTINATION "${NM_PACKAGE_DIR}" PATH_VARS CMAKE_INSTALL_INCLUDEDIR
  CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/nmConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/nmConfig.cmake"
              "${CMAKE_BINARY_DIR}/nmConfigVersion.cmake"
        DESTINATION "${NM_PACKAGE_DIR}" COMPONENT runtime)

foreach(tool nm-compile nm-run nm-opt nm-reduce nm-lsp-server nm)
  if(TARGET ${tool})
    # LLVM's libraries are where they were found, which may be no place of the system's.
    set_target_properties(${tool} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS ${tool} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
            COMPONENT tools)
  endif()
endforeach()
# The static build has one binary, which is what its link's name says.
if(TARGET nm)
  foreach(tool nm-opt nm-compile nm-run)
    install(FILES "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${tool}"
            DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
  endforeach()
endif()
