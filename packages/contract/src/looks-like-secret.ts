const secretName = /pass(?:word|phrase)|secret|token|private_?key|api_?key|credential/i
const secretText =
  /^(?:sk|rk|ghp|gho|ghs|[a-z]+_pat|xox[abprs]|sbx_m2m|AKIA|glpat)[-_A-Z0-9]|^-----BEGIN [A-Z ]*PRIVATE KEY|^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]+:[^/\s@]+@/

/** Returns whether the name of a key or a variable says that its value is secret. Example: `stripeApiKey`. */
export function soundsSecret(name: string): boolean {
  return secretName.test(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2'))
}

/** Returns whether a value has the form of a known token, of a private key, or of an address with a password. */
export function looksLikeSecret(value: string): boolean {
  return secretText.test(value)
}
