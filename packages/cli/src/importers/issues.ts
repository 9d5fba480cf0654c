import type { ImportIssue } from '@signalbox/contract'
import { LeftOut, type ImportedKey } from './importer.ts'

/** Says what is done about what products have in common. */
export const done = {
  number: 'It is compared as a number. The application has to send one, and no text.',
  part: 'Only texts have parts here. The application has to send a text.',
  list: 'An attribute is one value here. Where the application sends no list, it decides the same.',
  segment:
    'Its conditions are written into the rule, so later changes of the segment do not reach it.',
  prerequisite:
    'What that means today is imported. Later changes of that flag do not reach this one.',
  constantOnly: 'The flag is left out: rules cannot ask for other flags.',
  oneType: 'It is left out: the rules of a key serve values of one type.',
  path: (name: string) =>
    `It asks for the attribute “${name}”, which the application has to send at the top level.`,
} as const

/** Collects the issues of one flag, each once for what it is about. Example of `about`: `GB-T006 age`, which begins with the code. */
export class Issues {
  readonly #byAbout = new Map<string, ImportIssue>()

  low(about: string, cause: string, whatIsDone: string, environment?: string): void {
    const issue = { code: codeOf(about), severity: 'low', cause, done: whatIsDone } as const
    this.#byAbout.set(about, { ...issue, ...(environment !== undefined && { environment }) })
  }

  medium(about: string, cause: string, whatIsDone: string): void {
    this.#byAbout.set(about, { code: codeOf(about), severity: 'medium', cause, done: whatIsDone })
  }

  high(about: string, cause: string, whatIsDone: string): void {
    this.#byAbout.set(about, { code: codeOf(about), severity: 'high', cause, done: whatIsDone })
  }

  get all(): ImportIssue[] {
    return [...this.#byAbout.values()]
  }

  get verdict(): ImportedKey['verdict'] {
    return this.all.every(({ severity }) => severity === 'low') ? 'exact' : 'differs'
  }
}

function codeOf(about: string): string {
  return about.split(' ', 1)[0] ?? about
}

/** Returns the error that leaves a flag out. */
export function leaveOut(
  code: string,
  cause: string,
  whatIsDone = 'The flag is left out: rules here cannot express that.',
): LeftOut {
  return new LeftOut({ code, severity: 'high', cause, done: whatIsDone })
}
