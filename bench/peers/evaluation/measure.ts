import { expectedOf, makeFlags, makeUsers, share } from '../flags.ts'
import type { Begin } from '../product.ts'
import { products } from './products.ts'

/**
 * Measures one product in a process of its own. Started with its name, the number of flags, and for how many milliseconds of processor
 * time it repeats; says on one line what it has measured. With `--expose-gc` it measures the memory instead.
 */
const [, , name = '', flagCount = '', repeatMs = ''] = process.argv

/** Describes what a client costs. */
export interface Speed {
  /** Milliseconds of processor time to load the SDK, to open the client, and to decide the first flag. */
  readonly readyMs: number
  /** Decisions in a second of processor time, each for another user. */
  readonly oneFlag: number
  /** The same, of all flags for one user after the other. */
  readonly allFlags: number
}

/** Describes what a client holds that has decided each flag once. */
export interface Memory {
  readonly heapMb: number
  /** Includes what is outside of the heap, such as WebAssembly. */
  readonly residentMb: number
}

const product = products.find((each) => each.name === name)
if (product === undefined) throw new Error(`There is no product ${name}`)
const flags = makeFlags(Number(flagCount))
const keys = flags.map(({ key }) => key)
const users = makeUsers(300)
const measured = await (globalThis.gc === undefined
  ? measureSpeed(product.encode(flags))
  : measureMemory(product.encode(flags)))
process.stdout.write(`${JSON.stringify(measured)}\n`)
process.exit(0)

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Opens the client, and returns what begins with each user. */
async function open(text: string): Promise<readonly Begin[]> {
  const toBegin = await product!.open(text)
  return users.map(toBegin)
}

/** Decides flags for one user. Waits only for a client that makes its callers wait. */
async function decide(begin: Begin | undefined, asked: readonly string[]): Promise<boolean[]> {
  const begun = begin!()
  const ask = begun instanceof Promise ? await begun : begun
  const answers: boolean[] = []
  for (const key of asked) {
    const answer = ask(key)
    answers.push(typeof answer === 'boolean' ? answer : await answer)
  }
  return answers
}

async function measureSpeed(text: string): Promise<Speed> {
  const before = cpuMs()
  const begins = await open(text)
  await decide(begins[0], keys.slice(0, 1))
  const readyMs = cpuMs() - before
  await checkDecisions(begins)
  const single = keys.map((key) => [key])
  return {
    readyMs,
    oneFlag: await repeat(1, (turn) =>
      decide(begins[turn % begins.length], single[turn % single.length] ?? []),
    ),
    allFlags: await repeat(keys.length, (turn) => decide(begins[turn % begins.length], keys)),
  }
}

/** Returns how many decisions there are in a second of processor time, after as long a time to warm up. */
async function repeat(decisions: number, run: (turn: number) => Promise<unknown>) {
  let rate = 0
  for (const part of ['warm up', 'measure']) {
    const from = cpuMs()
    let turn = 0
    // The clock is asked seldom.
    for (let batch = 1; cpuMs() - from < Number(repeatMs); batch = Math.min(2 * batch, 1_000)) {
      for (let some = 0; some < batch; some += decisions) await run((turn += 1))
    }
    if (part === 'measure') rate = (turn * decisions * 1_000) / (cpuMs() - from)
  }
  return Math.round(rate)
}

/** Compares every decision with the rules. Those of a share have to be a share. */
async function checkDecisions(begins: readonly Begin[]): Promise<void> {
  const dealt: boolean[] = []
  for (const [at, user] of users.entries()) {
    const answers = await decide(begins[at], keys)
    for (const [index, flag] of flags.entries()) {
      const answer = answers.at(index) ?? false
      const expected = expectedOf(flag, user)
      if (expected === undefined) dealt.push(answer)
      else if (answer !== expected)
        throw new Error(`${name}: ${flag.key} of ${JSON.stringify(user)} is ${answer}`)
    }
  }
  const percent = (dealt.filter(Boolean).length / dealt.length) * 100
  if (Math.abs(percent - share) > 3) throw new Error(`${name}: a share of ${percent} %`)
}

/** Returns the memory of the whole process: that of a client with one flag has to be taken from it. */
async function measureMemory(text: string): Promise<Memory> {
  const begins = await open(text)
  await decide(begins[0], keys)
  for (let turn = 0; turn < 4; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    globalThis.gc?.()
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  await decide(begins[0], keys.slice(0, 1))
  return { heapMb: (heapUsed + external) / 1e6, residentMb: rss / 1e6 }
}
