import { targetingKey } from '@signalbox/contract'
import { all, readEach, type Step } from '../alternatives.ts'
import {
  ExportError,
  type ImportedKey,
  type Importer,
  type ReadExport,
  type ReadOptions,
  requireEnvironment,
} from '../importer.ts'
import { Issues, leaveOut } from '../issues.ts'
import { toNamedKey } from '../one-environment.ts'
import { parseDocuments } from '../read-documents.ts'
import { isObject, readList, readText, requireObject, type JsonObject } from '../read-json.ts'
import { readQuery } from './query.ts'
import { readServed, type ServedContext } from './served.ts'

/** Reads a file of flags of GO Feature Flag, as YAML or JSON. */
export const goFeatureFlag: Importer = { source: 'go-feature-flag', fromFile: readExport }

const form = 'Use a file of flags, as YAML or JSON.'

function readExport(text: string, options: ReadOptions): ReadExport {
  if (/^\[[\w.-]+\]\s*$/m.test(text)) {
    throw new ExportError(
      'This is TOML, which is not read. Convert the file to YAML or JSON first.',
    )
  }
  const [root] = parseDocuments(text, { stringKeys: true })
  const flags = isObject(root) ? Object.entries(root) : []
  if (!flags.some(([, flag]) => isObject(flag) && isObject(flag['variations']))) {
    throw new ExportError(`This is no file of GO Feature Flag: no flag has "variations". ${form}`)
  }
  const environment = requireEnvironment(options, 'A file of flags')
  const now = options.now ?? new Date()
  const entries = flags.map(([key, value]) => {
    const flag = requireObject(value, key)
    return [key, () => readFlag(key, flag, { environment, now })] as const
  })
  return readEach(entries, 'GO-T018')
}

interface Around {
  readonly environment: string
  readonly now: Date
}

function readFlag(key: string, flag: JsonObject, { environment, now }: Around): ImportedKey {
  const variants = requireObject(flag['variations'], `${key}.variations`)
  requireConstant(flag)
  const unit = readText(flag['bucketingKey'], `${key}.bucketingKey`)
  const attribute = unit === '' ? targetingKey : unit
  const issues = new Issues()
  const context = { key, attribute, variants: Object.keys(variants), now, issues }
  const rules = readList(flag['targeting'], `${key}.targeting`).flatMap((entry, index) => {
    const path = `${key}.targeting[${index}]`
    return readRule(requireObject(entry, path), path, context)
  })
  const path = `${key}.defaultRule`
  const { steps, rest } = readServed(requireObject(flag['defaultRule'], path), path, context)
  const { metadata } = flag
  const text = isObject(metadata) ? metadata['description'] : undefined
  const description = typeof text === 'string' ? text : ''
  const names = { key, from: key, ...(description !== '' && { description }) }
  const targeted = { variants, environment, steps: [...rules, ...steps], rest }
  return toNamedKey(names, 'GO', targeted, issues)
}

/** Refuses a flag that is another one at other times, or is none. @throws {LeftOut} */
function requireConstant({ disable, experimentation, scheduledRollout }: JsonObject): void {
  if (disable === true) {
    const cause = 'The flag is disabled: each call has its own default.'
    throw leaveOut('GO-T002', cause, 'It is left out. Enable it, then import again.')
  }
  if (isObject(experimentation)) {
    const cause = 'An experimentation runs: outside of its dates each call has its own default.'
    const action = 'The flag is left out. Remove the experimentation, then import again.'
    throw leaveOut('GO-T015', cause, action)
  }
  if (readList(scheduledRollout, 'scheduledRollout').length > 0) {
    const cause = 'Scheduled steps change the flag at their dates.'
    const action =
      'It is left out. Write the steps that are due into the flag and remove all of them, then import again.'
    throw leaveOut('GO-T014', cause, action)
  }
}

/** Returns the steps of a rule: whoever meets its query gets one of the variations that it serves. */
function readRule(rule: JsonObject, path: string, context: ServedContext): Step<string>[] {
  if (rule['disable'] === true) return []
  const test = readQuery(readText(rule['query'], `${path}.query`), context)
  const description = readText(rule['name'], `${path}.name`)
  const { steps, rest } = readServed(rule, path, context)
  return [
    ...steps.map((step) => ({ ...step, test: all([test, step.test]), description })),
    { test, serve: rest, description },
  ]
}
