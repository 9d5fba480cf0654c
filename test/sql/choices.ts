/** Thrown by what cannot be known before the program runs. */
export class UnknownValue extends Error {}

/** Answers what depends on who calls the code: in one run the same question has the same answer. */
export interface Choices {
  choose<T>(question: string, options: readonly T[]): T
  /** Finds the value of `of` once in each run. */
  remember(of: object, find: () => unknown): unknown
}

interface Answer {
  readonly question: string
  readonly count: number
  index: number
}

const runsMax = 4096

/** Runs `work` once for each combination of answers to the questions that it asks, and returns what each run returned. */
export function runEveryWay<T>(work: (choices: Choices) => T): T[] {
  const results: T[] = []
  const answers: Answer[] = []
  for (let run = 0; run < runsMax; run += 1) {
    const asked = new Map<string, Answer>()
    const remembered = new Map<object, unknown>()
    results.push(
      work({
        choose(question, options) {
          const answer = asked.get(question) ??
            answers[asked.size] ?? { question, count: options.length, index: 0 }
          if (answers[asked.size] === undefined && !asked.has(question)) answers.push(answer)
          asked.set(question, answer)
          const option = options[answer.index]
          if (option === undefined) throw new UnknownValue(`${question} has no answer`)
          return option
        },
        remember(of, find) {
          if (!remembered.has(of)) remembered.set(of, find())
          return remembered.get(of)
        },
      }),
    )
    while (answers.length > 0) {
      const last = answers.at(-1)
      if (last !== undefined && last.index + 1 < last.count) {
        last.index += 1
        break
      }
      answers.pop()
    }
    if (answers.length === 0) return results
  }
  throw new UnknownValue(`There are more than ${runsMax} ways`)
}
