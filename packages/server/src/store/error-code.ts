/** Returns the code of an error of Node or PostgreSQL, such as `EACCES` or `40001`; `undefined` for other errors. */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}
