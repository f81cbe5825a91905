"""What LaTeX commands stand for: each sign in Unicode and in ASCII, and what part it plays."""

from __future__ import annotations

from typing import Literal

__all__ = ["ALPHABETS", "FUNCTIONS", "SCRIPTS", "SPACES", "SYMBOLS"]

Part = Literal["letter", "function", "sign", "times", "relation", "open", "close", "mark", "comma"]

FUNCTIONS = {
    "sin", "cos", "tan", "cot", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "exp", "ln",
    "log", "lg", "max", "min", "sup", "inf", "det", "dim", "arg", "argmax", "argmin", "gcd",
}  # fmt: skip
SPACES = dict.fromkeys(
    ["\\,", "\\;", "\\:", "\\ ", "~", "quad", "qquad", "enspace", "thinspace"], " "
) | {"\\!": ""}
_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ",
    "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ", "chi": "χ",
    "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ",
    "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip

# command -> Unicode, ASCII, part
SYMBOLS: dict[str, tuple[str, str, Part]] = {
    name: (sign, name, "letter") for name, sign in _GREEK.items()
}
SYMBOLS |= {
    "varepsilon": ("ε", "epsilon", "letter"), "varphi": ("φ", "phi", "letter"),
    "vartheta": ("θ", "theta", "letter"), "ell": ("l", "l", "letter"),
    "infty": ("∞", "infinity", "letter"), "partial": ("∂", "d", "letter"),
    "nabla": ("∇", "grad", "letter"), "top": ("⊤", "T", "letter"),
    "intercal": ("⊤", "T", "letter"), "emptyset": ("∅", "{}", "letter"),
    "cdot": ("·", "*", "times"), "times": ("×", "*", "times"), "ast": ("*", "*", "times"),
    "div": ("÷", "/", "times"), "odot": ("⊙", "(.)", "times"), "otimes": ("⊗", "(x)", "times"),
    "circ": ("∘", "o", "times"), "bullet": ("•", "*", "times"),
    "pm": ("±", "+-", "sign"), "mp": ("∓", "-+", "sign"), "oplus": ("⊕", "(+)", "sign"),
    "le": ("≤", "<=", "relation"), "leq": ("≤", "<=", "relation"),
    "leqslant": ("≤", "<=", "relation"), "ge": ("≥", ">=", "relation"),
    "geq": ("≥", ">=", "relation"), "geqslant": ("≥", ">=", "relation"),
    "ne": ("≠", "!=", "relation"), "neq": ("≠", "!=", "relation"),
    "approx": ("≈", "~=", "relation"), "sim": ("~", "~", "relation"),
    "equiv": ("≡", "==", "relation"), "propto": ("∝", "~", "relation"),
    "lt": ("<", "<", "relation"), "gt": (">", ">", "relation"), "ll": ("≪", "<<", "relation"),
    "gg": ("≫", ">>", "relation"), "in": ("∈", "in", "relation"),
    "notin": ("∉", "not in", "relation"), "subset": ("⊂", "subset of", "relation"),
    "to": ("→", "->", "relation"), "rightarrow": ("→", "->", "relation"),
    "leftarrow": ("←", "<-", "relation"), "mapsto": ("↦", "|->", "relation"),
    "Rightarrow": ("⇒", "=>", "relation"), "Leftrightarrow": ("⇔", "<=>", "relation"),
    "iff": ("⇔", "<=>", "relation"), "implies": ("⇒", "=>", "relation"),
    "sum": ("Σ", "sum", "function"), "prod": ("Π", "product", "function"),
    "int": ("∫", "integral", "function"), "forall": ("∀", "for all", "letter"),
    "exists": ("∃", "there is", "letter"),
    "lfloor": ("⌊", "floor(", "open"), "rfloor": ("⌋", ")", "close"),
    "lceil": ("⌈", "ceil(", "open"), "rceil": ("⌉", ")", "close"),
    "langle": ("⟨", "<", "open"), "rangle": ("⟩", ">", "close"),
    "lbrace": ("{", "{", "open"), "rbrace": ("}", "}", "close"),
    "mid": ("|", "|", "mark"), "vert": ("|", "|", "mark"), "Vert": ("‖", "||", "mark"),
    "lVert": ("‖", "||", "mark"), "rVert": ("‖", "||", "mark"), "prime": ("′", "'", "mark"),
    "dots": ("…", "...", "mark"), "ldots": ("…", "...", "mark"), "cdots": ("…", "...", "mark"),
    "vdots": ("…", "...", "mark"), "ddots": ("…", "...", "mark"), "degree": ("°", " deg", "mark"),
}  # fmt: skip

SCRIPTS: dict[str, dict[str, str]] = {
    "^": dict(zip("0123456789+-()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱ", strict=True)),
    "_": dict(zip("0123456789+-ijkmnptx", "₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₘₙₚₜₓ", strict=True)),
}
_DOUBLE = dict(zip("RNZQCEP", "ℝℕℤℚℂ𝔼ℙ", strict=True))
ALPHABETS: dict[str, dict[str, str]] = {
    "mathbb": _DOUBLE, "mathbf": {}, "boldsymbol": {}, "bm": {}, "mathcal": {}, "vec": {},
    "hat": {}, "tilde": {}, "bar": {},
}  # fmt: skip
