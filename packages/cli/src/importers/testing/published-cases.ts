import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { isPlain, type PublishedCase } from './published-case.ts'

type Json = Record<string, unknown>

/** Says where a vendor publishes its cases, below the directory that holds clones of the repositories. */
export interface PublishedCases {
  readonly source: PublishedCase['source']
  /** Names the repository on GitHub, whose name is that of the clone. */
  readonly repository: string
  readonly read: (clone: string) => PublishedCase[]
}

/** Lists the vendors whose cases are in no package of npm. */
export const publishedCases: readonly PublishedCases[] = [
  { source: 'growthbook', repository: 'growthbook/growthbook', read: readGrowthBook },
  { source: 'flagsmith', repository: 'Flagsmith/engine-test-data', read: readFlagsmith },
  { source: 'launchdarkly', repository: 'launchdarkly/sdk-test-harness', read: readLaunchDarkly },
  { source: 'flagd', repository: 'open-feature/flagd-testbed', read: readFlagd },
]

/** Returns the clone of a repository below the directory; `undefined` where it is not there. */
export function findClone(directory: string, repository: string): string | undefined {
  const clone = join(directory, repository.split('/')[1] ?? '')
  return existsSync(clone) ? clone : undefined
}

const readText = (...path: string[]) => readFileSync(join(...path), 'utf8')
const listFiles = (directory: string, ending: string) =>
  readdirSync(directory)
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ name, text: readText(directory, name) }))

/** Conditions are cases of their own; of whole features, those that have a plain value. */
function readGrowthBook(clone: string): PublishedCase[] {
  const file = JSON.parse(readText(clone, 'packages/sdk-js/test/cases.json')) as {
    readonly evalCondition: readonly [string, Json, Json, boolean, Json?][]
    readonly feature: readonly [string, Json, string, { readonly value: unknown }][]
  }
  const ofConditions = file.evalCondition.map(
    ([name, condition, attributes, expected, savedGroups]): PublishedCase => ({
      source: 'growthbook',
      name: `evalCondition ${name}`,
      text: JSON.stringify({
        features: { flag: { defaultValue: false, rules: [{ condition, force: true }] } },
        ...(savedGroups && { savedGroups }),
      }),
      flag: 'flag',
      context: { ...attributes },
      expected,
    }),
  )
  const ofFeatures = file.feature.flatMap(([name, context, flag, { value }]) => {
    if (!isPlain(value) || context['forcedFeatureValues'] !== undefined) return []
    const { features, savedGroups, attributes } = context
    const text = JSON.stringify({ features, savedGroups })
    const own = { source: 'growthbook', name: `feature ${name}`, text, flag } as const
    return [{ ...own, context: Object(attributes) as Json, expected: value }]
  })
  return [...ofConditions, ...ofFeatures].map((each) => withUnit(each, 'id'))
}

/** The cases have the context of an engine, and what each feature then is: its value where it has one, or whether it is on. */
function readFlagsmith(clone: string): PublishedCase[] {
  return listFiles(join(clone, 'test_cases'), '.json').flatMap(({ name, text }) => {
    const { context, result } = parse(text) as { readonly context: Json; readonly result: Json }
    const { identity, features, segments } = context as Record<string, Record<string, Json>>
    const {
      identifier,
      traits = {},
      key: identityKey,
    } = (identity ?? {}) as { identifier?: string; traits?: Json; key?: string }
    const own = { source: 'flagsmith', name } as const
    const { key } = Object(context['environment']) as Json
    const isComposite = [undefined, `${String(key)}_${identifier}`].includes(identityKey)
    const flat = { ...traits, ...(identifier !== undefined && { targetingKey: identifier }) }
    const overrides = Object.values(segments ?? {}).flatMap(
      (segment) => (segment['overrides'] ?? []) as Json[],
    )
    return Object.values(features ?? {}).flatMap((feature) => {
      const flag = String(feature['name'])
      const answer = Object(result['flags']) as Record<string, Json>
      const states = [feature, ...overrides.filter((override) => override['name'] === flag)]
      const values = states.map((state) => state['value'])
      const asked = { ...own, flag, context: flat }
      const isOn = [...new Set(values)].map((value) => ({
        ...asked,
        text: toFlagsmithDocument(context, feature, (state) => ({
          enabled: state['value'] === value,
          feature_state_value: null,
        })),
        expected: answer[flag]?.['value'] === value,
      }))
      const expected = answer[flag]?.['value']
      const isOfTexts = values.every((value) => typeof value === 'string' && value !== '')
      // Its API divides users whom it has stored by a number, which no SDK knows.
      const isOfSdk = feature['variants'] === undefined || isComposite
      if (!isOfTexts || !isOfSdk || !isPlain(expected)) return isOn
      const text = toFlagsmithDocument(context, feature, (state) => ({
        enabled: true,
        feature_state_value: state['value'],
      }))
      return [...isOn, { ...asked, text, expected }]
    })
  })
}

/** Returns the document of an environment with one feature, whose states are as `toServed` says. */
function toFlagsmithDocument(
  context: Json,
  feature: Json,
  toServed: (state: Json) => { readonly enabled: boolean; readonly feature_state_value: unknown },
): string {
  const toState = (state: Json) => ({
    feature: { id: 1, name: state['name'], type: 'STANDARD' },
    django_id: state['key'],
    ...toServed(state),
    multivariate_feature_state_values: ((state['variants'] ?? []) as Json[]).map((variant) => ({
      id: variant['priority'],
      percentage_allocation: variant['weight'],
      multivariate_feature_option: { value: variant['value'] },
    })),
    feature_segment: { priority: state['priority'] ?? null },
  })
  const segments = Object.values(Object(context['segments']) as Record<string, Json>)
  return JSON.stringify({
    api_key: (context['environment'] as Json)['key'],
    feature_states: [toState(feature)],
    project: {
      segments: segments.map((segment) => ({
        id: Number(segment['key']),
        name: segment['name'],
        rules: toFlagsmithRules(segment['rules']),
        feature_states: ((segment['overrides'] ?? []) as Json[])
          .filter((override) => override['name'] === feature['name'])
          .map(toState),
      })),
    },
  })
}

function toFlagsmithRules(rules: unknown): Json[] {
  return ((rules ?? []) as Json[]).map(({ type, conditions, rules: inner }) => ({
    type,
    rules: toFlagsmithRules(inner),
    conditions: ((conditions ?? []) as Json[]).map(({ operator, property, value }) => ({
      operator,
      property_: property,
      value,
    })),
  }))
}

/** The files have parameters: each set of them is the file once, with the names in angle brackets replaced. */
function readLaunchDarkly(clone: string): PublishedCase[] {
  const files = listFiles(join(clone, 'data/data-files/server-side-eval'), '.yml')
  return files.flatMap(({ name, text }) => {
    const file = parse(text, { merge: true }) as Json
    const constants = (file['constants'] ?? {}) as Json
    const sets = ((file['parameters'] ?? [{}]) as (Json | Json[])[]).flat()
    return sets.flatMap((parameters) => {
      const { sdkData, evaluations } = replaceNames(file, { ...constants, ...parameters }) as {
        readonly sdkData: { readonly flags: Record<string, Json>; readonly segments?: Json }
        readonly evaluations?: readonly Json[]
      }
      const flags = Object.fromEntries(
        Object.entries(sdkData.flags).map(([key, flag]) => [key, { key, version: 1, ...flag }]),
      )
      return (evaluations ?? []).flatMap((evaluation) => {
        const { value, reason } = (evaluation['expect'] ?? {}) as Json
        // An error is no decision: each call has its own default then.
        if (!isPlain(value) || Object(reason).kind === 'ERROR') return []
        const context = Object(evaluation['context'] ?? evaluation['user']) as Json
        const own = {
          source: 'launchdarkly' as const,
          name: `${name} ${String(evaluation['name'])}`,
          text: JSON.stringify({
            flags: withPrerequisites(flags, String(evaluation['flagKey'])),
            segments: sdkData.segments ?? {},
          }),
          flag: String(evaluation['flagKey']),
          expected: value,
        }
        // A context of another kind, or of several, has attributes that the import names otherwise.
        if ((context['kind'] ?? 'user') !== 'user') return []
        const { kind: _kind, custom, ...attributes } = context
        return [withUnit({ ...own, context: { ...attributes, ...Object(custom) } as Json }, 'key')]
      })
    })
  })
}

/** Returns a flag with those that it depends on: a file has flags beside it that no server sends. */
function withPrerequisites(
  flags: Readonly<Record<string, Json>>,
  key: string,
  found: Record<string, Json> = {},
): Record<string, Json> {
  const flag = flags[key]
  if (flag === undefined || key in found) return found
  found[key] = flag
  for (const { key: other } of (flag['prerequisites'] ?? []) as Json[]) {
    withPrerequisites(flags, String(other), found)
  }
  return found
}

/** Replaces `<NAME>` by its value: the value itself where it stands alone, and its text within others. */
function replaceNames(value: unknown, values: Json): unknown {
  if (Array.isArray(value)) return value.map((each) => replaceNames(each, values))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        String(replaceNames(name, values)),
        replaceNames(each, values),
      ]),
    )
  }
  if (typeof value !== 'string') return value
  const [, whole] = /^<(\w+)>$/.exec(value) ?? []
  if (whole !== undefined && whole in values) return replaceNames(values[whole], values)
  return value.replaceAll(/<(\w+)>/g, (text, name: string) =>
    name in values ? String(values[name]) : text,
  )
}

function readFlagd(clone: string): PublishedCase[] {
  const definition = JSON.parse(readText(clone, 'evaluator/flags/testkit-flags.json')) as {
    readonly flags: Record<string, Json>
  }
  return listFiles(join(clone, 'evaluator/gherkin'), '.feature').flatMap(({ name, text }) =>
    readScenarios(text).flatMap((steps) => {
      const flag = /-flag with key "([^"]*)" and a fallback value "([^"]*)"/.exec(steps)
      const [, expected] = /the resolved details value should be "([^"]*)"/.exec(steps) ?? []
      const { variants } = definition.flags[flag?.[1] ?? ''] ?? {}
      const values = Object.values(Object(variants) as Json)
      const chosen = values.find((value) => String(value) === expected)
      // The default of the code is none of the definition.
      if (flag === null || !isPlain(chosen) || expected === flag[2]) return []
      const [, key = ''] = flag
      const own = { ...definition, flags: { [key]: definition.flags[key] } }
      return [
        {
          source: 'flagd' as const,
          name: `${name} ${key} ${expected}`,
          flag: key,
          context: readFlagdContext(steps),
          text: JSON.stringify(own),
          expected: chosen,
        },
      ]
    }),
  )
}

function readFlagdContext(steps: string): Json {
  const typed = steps.matchAll(/a key "([^"]*)", with type "(\w+)" and with value "([^"]*)"/g)
  const context = Object.fromEntries(
    [...typed].map(([, key = '', type, value = '']) => [
      key,
      type === 'String' ? value : (JSON.parse(value) as unknown),
    ]),
  )
  const [, unit] = /a targeting key with value "([^"]*)"/.exec(steps) ?? []
  return { ...context, ...(unit !== undefined && { targetingKey: unit }) }
}

/** Returns the steps of each scenario, with those of the background, once for each line of its examples. */
function readScenarios(text: string): string[] {
  const [background = '', ...scenarios] = text.split(/^ *Scenario(?: Outline)?:/m)
  return scenarios.flatMap((scenario) => {
    const [steps = '', ...tables] = scenario.split(/^ *Examples:.*$/m)
    if (tables.length === 0) return [background + steps]
    return tables.flatMap((table) => {
      const rows = [...table.matchAll(/^ *\|(.*)\| *$/gm)].map(([, row = '']) =>
        row.split('|').map((cell) => cell.trim()),
      )
      const [names = [], ...lines] = rows
      return lines.map((cells) =>
        names.reduce(
          (filled, name, index) => filled.replaceAll(`<${name}>`, cells[index] ?? ''),
          background + steps,
        ),
      )
    })
  })
}

/** Names the attribute by which a vendor knows a user as we do. */
function withUnit<Case extends PublishedCase>(one: Case, name: string): Case {
  const { [name]: unit, ...rest } = one.context
  return unit === undefined ? one : { ...one, context: { ...rest, targetingKey: unit } }
}
