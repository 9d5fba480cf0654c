// P16: what it costs to decide flags in the process of an application, beside the clients of other products.
import { execFileSync } from 'node:child_process'
import { median, recordComparison, type Column } from './beside.ts'
import type { Memory, Speed } from './evaluation/measure.ts'
import { products } from './evaluation/products.ts'
import { versionOf } from './product.ts'

/** Example: `node … bench/peers/evaluation.ts 1 100` for a look. */
const rounds = Number(process.argv[2] ?? 7)
const repeatMs = Number(process.argv[3] ?? 300)
const flags = 200
const manyFlags = 10_000

const script = new URL('./evaluation/measure.ts', import.meta.url).pathname

/** Each product has a process of its own each time, which runs what users install. */
function measure(node: readonly string[], name: string, count: number): unknown {
  const args = [...node, script, name, String(count), String(repeatMs)]
  // Flipt warns of how it starts its own WebAssembly.
  const out = execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  return JSON.parse(out.toString())
}

const names = products.map(({ name }) => name)
const speeds = new Map(names.map((name) => [name, [] as Speed[]]))
const memories = new Map(names.map((name) => [name, [] as Memory[]]))
for (let round = 0; round < rounds; round += 1) {
  for (const name of round % 2 === 0 ? names : names.toReversed()) {
    speeds.get(name)?.push(measure([], name, flags) as Speed)
    if (round >= 3) continue
    const few = measure(['--expose-gc'], name, 1) as Memory
    const many = measure(['--expose-gc'], name, manyFlags) as Memory
    memories.get(name)?.push({
      heapMb: many.heapMb - few.heapMb,
      residentMb: many.residentMb - few.residentMb,
    })
  }
  console.error(`round ${round + 1} of ${rounds}`)
}

const columns: readonly Column[] = [
  { title: 'one flag for each user, thousands/s', better: 'more' },
  { title: `all ${flags} flags for each user, thousands/s`, better: 'more' },
  {
    title: 'loaded and the first flag decided, ms',
    better: 'less',
    why: 'Signalbox’s client consists of about 40 small, readable files, and Node needs about half a millisecond to load each. One bundled file would load faster, but nobody could read it.',
  },
  {
    title: `held for ${manyFlags.toLocaleString('en')} flags, MB`,
    better: 'less',
    why: 'Signalbox’s client keeps the values, the text of the rules, and each rule in compiled form from its first use on. Without the texts it would be smaller, but it needs them to start while no server answers.',
  },
]
const lines = products.map(({ name, sdk, setup }) => {
  const of = (pick: (speed: Speed) => number) => median((speeds.get(name) ?? []).map(pick))
  const heapMb = median((memories.get(name) ?? []).map(({ heapMb }) => heapMb))
  return {
    name,
    version: `${sdk} ${versionOf(sdk)}`,
    setup,
    values: [
      Math.round(of(({ oneFlag }) => oneFlag) / 100) / 10,
      Math.round(of(({ allFlags }) => allFlags) / 100) / 10,
      Math.round(of(({ readyMs }) => readyMs)),
      Math.round(heapMb * 10) / 10,
    ],
  }
})

recordComparison(
  'P16',
  `decisions in the process of an application: ${flags} flags with the same rules, by processor time`,
  { columns, lines },
  {
    setup: { flags, manyFlags, rounds, repeatMs },
    rounds: Object.fromEntries(speeds),
    memories: Object.fromEntries(memories),
  },
)
