import type { ConfigValue } from '@signalbox/contract'
import {
  extractSchema,
  type ExtractionViolation,
  findBrokenRule,
  importFrom,
  isConfig,
  type KeyReport,
  validateWithin,
  validatorLimitMs,
} from '@signalbox/config/extract'
import { isRecord } from '../project/json.ts'
import { fromDefinition } from '../schema/full-key.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { DefinedKey, Definition, DefinitionViolation } from './definition.ts'
import { findLineOfKey } from './line-of-key.ts'

/** Returns what a loaded definition file declares, of all keys or only one, with what its text tells about lines. */
export async function extractDefinition(
  path: string,
  source: string,
  {
    module,
    only,
  }: { readonly module: Readonly<Record<string, unknown>>; readonly only?: string | undefined },
): Promise<Definition> {
  const config = pickKey(findConfig(path, module), only)
  const { schema, report, violations } = await extractSchema(config, { resolve: importFrom(path) })
  const keys = Object.entries(schema).map(([key, definition]): [string, DefinedKey] => {
    const full = fromDefinition(definition)
    const check = createCheck(config[full.tier][key], full)
    const facts = report[key]?.facts ?? []
    const isTried = facts.some(({ name, source }) => name === 'default' && source === 'probe')
    const tried = isTried && { isDefaultTried: true as const }
    return [key, { ...full, ...tried, check, sources: sourcesOf(facts) }]
  })
  return {
    path,
    keys: new Map(keys),
    violations: violations.map((violation) => toViolation(violation, source)),
    warnings: Object.entries(report).flatMap(([key, { warnings }]) =>
      warnings.map((warning) => `${key}: ${warning}`),
    ),
    vendors: [...new Set(Object.values(report).map(({ vendor }) => vendor))],
  }
}

type Config = Parameters<typeof extractSchema>[0]
type Validator = Config['public'][string]

/** Finds the default export, or the one called `config`. A transpiled module may have its exports inside the default one. */
function findConfig(path: string, module: Readonly<Record<string, unknown>>): Config {
  const outer = [module['default'], module['config']]
  const inner = outer.flatMap((each) => (isRecord(each) ? [each['default'], each['config']] : []))
  const config = [...outer, ...inner].find((each) => isConfig(each))
  if (config !== undefined) return config
  throw new CliError('validation', 'no_config', `${path} exports no configuration.`, {
    advice: 'export default defineConfig({ public: { … }, secret: { … }, featureFlags: { … } })',
  })
}

function pickKey(config: Config, only: string | undefined): Config {
  if (only === undefined) return config
  const pick = (keys: Config['public']) =>
    Object.fromEntries(Object.entries(keys).filter(([key]) => key === only))
  return {
    public: pick(config.public),
    secret: pick(config.secret),
    featureFlags: pick(config.featureFlags),
  }
}

function createCheck(
  validator: Validator | undefined,
  { tier, constraints }: Pick<DefinedKey, 'tier' | 'constraints'>,
): DefinedKey['check'] {
  return async (value: ConfigValue) => {
    if (validator === undefined) return undefined
    const validated = await validateWithin(validator, value)
    switch (validated.outcome) {
      case 'accepted':
        return undefined
      case 'refused':
        // A validator's message may quote the refused value.
        return tier === 'secret'
          ? (findBrokenRule(constraints, value) ?? refused)
          : (validated.messages[0] ?? refused)
      case 'failed':
        return 'its validator failed with an error'
      case 'late':
        return `its validator did not answer within ${validatorLimitMs / 1000} s`
    }
  }
}

const refused = 'its validator refuses the value'

const sourceWords = {
  jsonSchema: 'from its JSON Schema',
  converter: 'from its library',
  probe: 'by trying values',
  declared: 'as declared',
} as const

/** Describes facts by how they were learned. Example: `type, default from its JSON Schema`. */
function sourcesOf(facts: KeyReport['facts']): string[] {
  const bySource = new Map<string, string[]>()
  for (const { name, source, atLeast } of facts) {
    const words = sourceWords[source]
    bySource.set(words, [...(bySource.get(words) ?? []), atLeast ? `${name} (at least)` : name])
  }
  return [...bySource].map(([words, names]) => `${names.join(' ')} ${words}`)
}

function toViolation(
  { key, tier, vendor, detail, fixes }: ExtractionViolation,
  source: string,
): DefinitionViolation {
  return {
    key,
    tier,
    line: findLineOfKey(source, tier, key),
    detail: `${detail} (validator: ${vendor})`,
    fixes,
  }
}
