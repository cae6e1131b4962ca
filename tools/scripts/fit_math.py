#!/usr/bin/env python3
# fit_math.py - Coefficients of the polynomials of nm-expand-math and activations.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints the coefficients that lib/Conversion/ExpandMath and EpilogueMath.cpp use, lowest
# degree first, and the largest relative error of each fit before rounding to f32. Needs
# numpy and mpmath; run by hand when a polynomial is changed.

import mpmath
import numpy

mpmath.mp.prec = 120


def fit(function, low, high, degree, weight):
    """Minimax fit of `function` on [low, high] by Lawson's reweighting, where
    an error e counts as e * weight(x)."""
    nodes = numpy.cos(numpy.linspace(0, numpy.pi, 801))
    x = (low + high) / 2 + (high - low) / 2 * nodes
    y = numpy.array([float(function(mpmath.mpf(v))) for v in x])
    w = numpy.array([abs(float(weight(mpmath.mpf(v)))) for v in x])
    # Chebyshev columns keep the system well conditioned.
    basis = numpy.polynomial.chebyshev.chebvander(nodes, degree)
    lawson = numpy.full(len(x), 1.0 / len(x))
    best = None
    for _ in range(300):
        root = numpy.sqrt(lawson) * w
        c = numpy.linalg.lstsq(basis * root[:, None], y * root, rcond=None)[0]
        error = numpy.abs(basis @ c - y) * w
        if best is None or error.max() < best[0]:
            best = (error.max(), c)
        lawson = lawson * error
        lawson /= lawson.sum()
    series = numpy.polynomial.Chebyshev(best[1], domain=[low, high])
    power = series.convert(kind=numpy.polynomial.Polynomial)
    return best[0], power.coef


def show(name, result):
    error, coefficients = result
    print(f"{name}: error {error:.2e}")
    print("  {" + ", ".join(f"{numpy.float32(c):.9g}f" for c in coefficients) + "}")


def show_f64(name, function, low, high, degree):
    """A fit for f64, whose error numpy's own doubles could not show."""
    with mpmath.workprec(200):
        coefficients, error = mpmath.chebyfit(function, [low, high], degree + 1,
                                              error=True)
    print(f"{name}: error {float(error):.2e}")
    print("  {" + ", ".join(repr(float(c)) for c in reversed(coefficients)) + "}")


def near_zero(function, limit):
    """`function`, or its value at 0 where the formula would divide by 0."""
    return lambda x: function(x) if abs(x) > 1e-9 else mpmath.mpf(limit)


def main():
    m = mpmath
    show("exp", fit(near_zero(lambda r: (m.exp(r) - 1 - r) / r**2, 0.5),
                    -0.3486, 0.3486, 4, lambda r: r**2 / m.exp(r)))
    show("expm1", fit(near_zero(lambda r: (m.expm1(r) - r) / r**2, 0.5),
                      -0.4, 0.4, 6, near_zero(lambda r: r**2 / m.expm1(r), 0)))
    show("log", fit(near_zero(lambda f: (m.log1p(f) - f + f**2 / 2) / f**3, 1 / 3),
                    -0.2929, 0.4143, 7, near_zero(lambda f: f**3 / m.log1p(f), 0)))
    odd = lambda g, high, limit: (
        near_zero(lambda z: (g(m.sqrt(z)) / m.sqrt(z) - 1) / z, limit), 0, high**2)
    show("tanh", fit(*odd(m.tanh, 0.625, -1 / 3), 4,
                     near_zero(lambda z: z * m.sqrt(z) / m.tanh(m.sqrt(z)), 0)))
    show("erf", fit(near_zero(lambda z: m.erf(m.sqrt(z)) / m.sqrt(z) - 1,
                              2 / m.sqrt(m.pi) - 1), 0, 0.95**2, 6,
                    near_zero(lambda z: m.sqrt(z) / m.erf(m.sqrt(z)), 1)))
    show("-log(erfc)", fit(lambda a: -m.log(m.erfc(a)), 0.9, 3.95, 8,
                           lambda a: m.erfc(a)))
    # erfc a = exp(-a^2) / (1 + 2a) times a polynomial of t = (a - 3.75) / (a + 3.75).
    scaled = lambda a: (1 + 2 * a) * m.exp(a * a) * m.erfc(a)
    of_t = lambda t: scaled(3.75 * (1 + t) / (1 - t))
    end = lambda a: (a - 3.75) / (a + 3.75)
    show_f64("erfc", of_t, -1, end(10.2), 11)
    show_f64("erfc in f64", of_t, -1, end(27.3), 22)
    # Of activations (EpilogueMath.cpp); the short one is of those rounded to 16 bits.
    tail = lambda a: -m.log(m.erfc(a / m.sqrt(2)) / 2, 2)
    name = "-log2(erfc(a / sqrt 2) / 2)"
    show(name, fit(tail, 0, 8, 12, lambda a: m.log(2) * m.exp(-a)))
    show(f"{name}, approximate", fit(tail, 0, 8, 7, lambda a: m.log(2)))
    show("exp2", fit(lambda r: m.power(2, r), -0.5, 0.5, 6, lambda r: m.power(2, -r)))
    show("sin", fit(*odd(m.sin, 0.786, -1 / 6), 3,
                    near_zero(lambda z: z * m.sqrt(z) / m.sin(m.sqrt(z)), 0)))
    show("cos", fit(near_zero(lambda z: (m.cos(m.sqrt(z)) - 1 + z / 2) / z**2, 1 / 24),
                    0, 0.786**2, 3, lambda z: z**2 / m.cos(m.sqrt(z))))
    atan = near_zero(lambda z: (m.atan(m.sqrt(z)) / m.sqrt(z) - 1) / z, -1 / 3)
    show("atan", fit(atan, 0, 0.41422**2, 5, lambda z: z))
    show_f64("atan in f64", atan, 0, m.tan(m.pi / 8)**2, 12)


if __name__ == "__main__":
    main()
