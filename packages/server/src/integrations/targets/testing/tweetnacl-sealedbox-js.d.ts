/** Opens sealed boxes. The package has no types of its own. */
declare module 'tweetnacl-sealedbox-js' {
  /** Returns what is in a box; `null` for one that was not sealed for these keys. */
  export function open(
    box: Uint8Array,
    publicKey: Uint8Array,
    secretKey: Uint8Array,
  ): Uint8Array | null
}
