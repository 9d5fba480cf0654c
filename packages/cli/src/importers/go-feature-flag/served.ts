import { always, divide, type Step } from '../alternatives.ts'
import { ExportError } from '../importer.ts'
import { leaveOut, type Issues } from '../issues.ts'
import { isObject, readNumber, readText, requireObject, type JsonObject } from '../read-json.ts'

/** Holds what the rules of a flag are read with. */
export interface ServedContext {
  readonly key: string
  /** Names the attribute by which users are divided. */
  readonly attribute: string
  readonly variants: readonly string[]
  readonly now: Date
  readonly issues: Issues
}

/** Describes what a rule serves: the variation of the first step that holds, else the rest. */
interface Served {
  readonly steps: readonly Step<string>[]
  readonly rest: string
}

/** Returns what a rule serves. A rollout has priority over shares, and these over a variation. @throws {LeftOut} */
export function readServed(rule: JsonObject, path: string, context: ServedContext): Served {
  const { progressiveRollout, percentage, variation } = rule
  if (isObject(progressiveRollout)) {
    return readProgressive(progressiveRollout, `${path}.progressiveRollout`, context)
  }
  if (isObject(percentage) && Object.keys(percentage).length > 0) {
    return readShares(percentage, `${path}.percentage`, context)
  }
  return { steps: [], rest: nameOf(variation, path, context) }
}

/** Returns the name of a variation. In YAML the name True is a boolean. @throws {LeftOut} for one that the flag does not have */
function nameOf(variation: unknown, path: string, { variants }: ServedContext): string {
  const text = typeof variation === 'boolean' ? String(variation) : readText(variation, path)
  const isMeant = (name: string) =>
    typeof variation === 'boolean' ? name.toLowerCase() === text : name === text
  const name = variants.find(isMeant)
  if (name !== undefined) return name
  const cause = `${path} serves the variation “${text}”, which the flag does not have: each call has its own default.`
  throw leaveOut('GO-T023', cause, 'The flag is left out.')
}

interface Part {
  readonly serve: string
  readonly percent: number
}

/** Gives the last part to whoever is in none of the others. */
function toServed(parts: readonly Part[], { key, attribute }: ServedContext): Served {
  const last = parts.at(-1)
  if (last === undefined) throw new ExportError(`${key} has no share above 0.`)
  const deal = { as: 'go-feature-flag', key } as const
  const steps = divide(parts.slice(0, -1), { test: always, attribute, deal })
  return { steps, rest: last.serve }
}

/** Divides users among variations. Their hash goes through the names from the last to the first one. */
function readShares(percentage: JsonObject, path: string, context: ServedContext): Served {
  const shares = Object.entries(percentage).map(([name, share]) => ({
    serve: nameOf(name, path, context),
    percent: readNumber(share, `${path}.${name}`),
  }))
  const total = shares.reduce((sum, { percent }) => sum + percent, 0)
  if (Math.abs(total - 100) > 0.0005) {
    const cause = `The shares of a rule add up to ${total}.`
    const action = 'They are extended to 100. Some users get another variation.'
    context.issues.medium(`GO-T026 ${path}`, cause, action)
  }
  const parts = shares
    .toSorted((one, other) => (one.serve < other.serve ? 1 : -1))
    .map(({ serve, percent }) => ({ serve, percent: (percent / total) * 100 }))
    .filter(({ percent }) => percent > 0)
  return toServed(parts, context)
}

/** Reads a rollout that grows with time, as it is at the moment of the import. */
function readProgressive(rollout: JsonObject, path: string, context: ServedContext): Served {
  const initial = readBound(rollout['initial'], `${path}.initial`, context)
  const end = readBound(rollout['end'], `${path}.end`, context)
  if (end.seconds <= initial.seconds) {
    throw new ExportError(`${path}.end.date is not after the first one.`)
  }
  const goal = end.percent === 0 || end.percent > 100 ? 100 : end.percent
  const now = Math.floor(context.now.getTime() / 1000)
  const percent = growTo(goal, { initial, end, now })
  if (now < end.seconds) {
    const cause = `A rollout grows to ${goal}% until ${new Date(end.seconds * 1000).toISOString()}.`
    const action = `Its share of this moment is imported, ${percent}%, and stays until somebody changes it.`
    context.issues.medium(`GO-T013 ${path}`, cause, action)
  }
  const grown = { serve: end.serve, percent }
  return toServed([grown, { serve: initial.serve, percent: 100 - percent }], context)
}

/** Describes the begin or the end of a rollout. */
interface Bound extends Part {
  readonly seconds: number
}

function readBound(value: unknown, path: string, context: ServedContext): Bound {
  const bound = requireObject(value, path)
  const milliseconds = Date.parse(readText(bound['date'], `${path}.date`))
  if (Number.isNaN(milliseconds)) throw new ExportError(`${path}.date is no date.`)
  return {
    serve: nameOf(bound['variation'], `${path}.variation`, context),
    percent: readNumber(bound['percentage'] ?? 0, `${path}.percentage`),
    seconds: Math.floor(milliseconds / 1000),
  }
}

interface Growth {
  readonly initial: Bound
  readonly end: Bound
  readonly now: number
}

/** Returns the share at a moment: it grows evenly, in thousandths of a percent. Before the begin it is 0, whatever it begins with. */
function growTo(goal: number, { initial, end, now }: Growth): number {
  if (now < initial.seconds) return 0
  if (now >= end.seconds) return goal
  const grown = (now - initial.seconds) / (end.seconds - initial.seconds)
  const percent = initial.percent + (goal - initial.percent) * grown
  return Math.floor(percent * 1000) / 1000
}
