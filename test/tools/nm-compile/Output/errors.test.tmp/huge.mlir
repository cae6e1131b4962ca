func.func private @f(!nm.condensed<9223372036854775807x9223372036854775807xf32, #nm.pattern<2:4>>)
