/**
 * Listens in on every answer of the services that run in a test's process, and on every answer that a test reads,
 * and notes the problem codes. `provoked.test.ts` looks at them at the end.
 */
import { Socket } from 'node:net'
import { beforeEach } from 'vitest'
import { createProblemNotes, type ProblemNotes } from './answered-problems.ts'

const shared = globalThis as { problemNotes?: ProblemNotes }
// A worker runs this before each of its files.
const { begin, name } = (shared.problemNotes ??= listen(createProblemNotes()))

begin()
beforeEach(({ task }) => name(task.file.filepath))

function listen(notes: ProblemNotes): ProblemNotes {
  const noteWhenRead = (_args: readonly unknown[], result: unknown) => {
    // A body that cannot be read is the business of the test that reads it.
    Promise.resolve(result).then(
      (body) => notes.note(typeof body === 'string' ? body : JSON.stringify(body)),
      () => undefined,
    )
  }
  // Sockets, because what never becomes a request is refused without a ServerResponse.
  overhear(Socket.prototype, 'write', ([chunk]) => notes.note(chunk))
  overhear(Socket.prototype, 'end', ([chunk]) => notes.note(chunk))
  overhear(Response.prototype, 'json', noteWhenRead)
  overhear(Response.prototype, 'text', noteWhenRead)
  return notes
}

/** Has `hear` see the arguments and the result of each call of a method, and changes nothing about it. */
function overhear(
  prototype: object,
  method: string,
  hear: (args: readonly unknown[], result: unknown) => void,
): void {
  const original: unknown = Reflect.get(prototype, method)
  if (typeof original !== 'function') throw new TypeError(`There is no method ${method}.`)
  Reflect.set(prototype, method, function overheard(this: unknown, ...args: unknown[]): unknown {
    const result: unknown = Reflect.apply(original, this, args)
    hear(args, result)
    return result
  })
}
