/** Maps each reason to the exit code. Scripts rely on these numbers: they never change. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  cancelled: 3,
  authentication: 4,
  validation: 5,
  conflict: 6,
  unreachable: 7,
  differences: 8,
  /** People must approve the change, and it is not made yet. */
  waiting: 9,
  /** The change was made, and taken back by its proof. */
  restored: 10,
  /** Of `run`, as shells have them: the program may not be run, or is not there. */
  notExecutable: 126,
  notFound: 127,
  interrupted: 130,
} as const

/** Names why the process ends. */
export type ExitReason = keyof typeof exitCodes
