/** Describes what a message takes back, in the words that git and code hosts write into it. */
export interface Revert {
  /** Keys on the first line are taken back. */
  readonly inSubject: boolean
  /** Keys on the other lines are. */
  readonly inBody: boolean
  /** Hashes of the commits it names. */
  readonly shas: readonly string[]
}

const quoteOpening = 'Revert "'
const reapplyOpening = 'Reapply "'
const revertedCommit = /^This reverts commit ([0-9a-f]{40,64})/
/** Begins the line that takes a commit back. */
export const revertOpening = 'This reverts commit'

/**
 * Reads whether a commit takes others back. `Revert "ABC-5 Add login"` does, a revert of a revert brings back, and so does
 * `Reapply "…"`, which git writes for one. Where the first line quotes nothing, `This reverts commit …` in the body decides.
 */
export function readRevert(message: string): Revert {
  const lines = message.split('\n')
  const quoted = readQuotes(lines[0] ?? '')
  const said = lines.filter((line) => line.startsWith(revertOpening))
  const isRevert = quoted ?? said.length > 0
  return {
    inSubject: isRevert,
    // The text below a quoted subject says why, and often names the issue of the defect.
    inBody: quoted === undefined && isRevert,
    shas: isRevert ? said.flatMap((line) => revertedCommit.exec(line)?.[1] ?? []) : [],
  }
}

/** Returns whether the quotes of a subject take back in the end; `undefined` when it begins with none. */
function readQuotes(subject: string): boolean | undefined {
  let rest = subject
  let isRevert: boolean | undefined
  for (;;) {
    if (rest.startsWith(quoteOpening)) {
      isRevert = !(isRevert ?? false)
      rest = rest.slice(quoteOpening.length)
    } else if (rest.startsWith(reapplyOpening)) {
      isRevert ??= false
      rest = rest.slice(reapplyOpening.length)
    } else {
      return isRevert
    }
  }
}
