// The functions are compared, not called.
// oxlint-disable typescript/no-unnecessary-type-parameters

/** Tells whether two types are the same, also where one is `any`. */
export type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only for types that are the same: `expectSame<typeof a, string>(true)`. */
export function expectSame<A, B>(_same: Same<A, B>): void {}
