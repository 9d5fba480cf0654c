import type { CheckedDefinition, CheckedEnvironment } from '../check/check-environments.ts'
import type { Definition } from '../definition/definition.ts'
import { breakingReason } from '../schema/breaking-changes.ts'
import { type DefinitionChange, describeKey } from '../schema/definition-change.ts'
import { countTiers } from '../schema/full-key.ts'
import { renderCounts } from '../schema/render-plan.ts'
import { countOf } from '../terminal/count.ts'
import type { CliError } from '../terminal/cli-error.ts'

/** Describes a check whose result a comment shows. */
export interface ReportedCheck {
  /** Holds the path relative to the repository. */
  readonly file: string
  readonly definition: Definition
  /** Holds the comparison with the server. Absent where GitHub gives the run no token. */
  readonly checked: CheckedDefinition | undefined
  /** Says that a required key without a value fails the check. */
  readonly complete: boolean
}

/** Limits the text to what GitHub accepts in a comment. */
const longestComment = 60_000

const marks = { added: '🟢 added', changed: '🟡 changed', removed: '⚪ kept' } as const

/** Returns a check as Markdown, for the comment and for the job's summary. It shows keys and defaults, never a stored value. */
export function renderCheckReport(check: ReportedCheck): string {
  const { file, definition, checked } = check
  const { keys } = definition
  const counts = renderCounts(countTiers(keys.values()))
  const declaration = `**${code(file)}** declares ${countOf(keys.size, 'key')}: ${counts}`
  if (checked === undefined) {
    return paragraphs([
      '### Signalbox: the definition is valid',
      declaration,
      "The action didn't compare it with the server, because GitHub gives no secrets to pull requests of forks and to Dependabot.",
    ])
  }
  const { schema, revision, changes, breaking, environments } = checked
  const violation = findViolation(environments, check.complete)
  const title =
    violation ?? (changes.length === 0 ? 'no differences' : countOf(changes.length, 'change'))
  const from = revision === null ? 'which is not on the server yet' : `revision ${revision}`
  return paragraphs([
    `### ${violation !== undefined ? '❌' : breaking.length > 0 ? '⚠️' : '✅'} Signalbox: ${title}`,
    `${declaration}, compared with the schema ${code(schema)}, ${from}.`,
    changes.length === 0 ? undefined : renderChanges(changes),
    environments.length === 0 ? undefined : renderEnvironments(environments),
  ])
}

function namesOf(environments: readonly CheckedEnvironment[]): string {
  return environments.map(({ environment }) => environment).join(', ')
}

/** Returns why the check fails, in the words of a title; `undefined` when it does not. */
function findViolation(environments: readonly CheckedEnvironment[], complete: boolean) {
  const refused = environments.filter(({ invalid }) => invalid.length > 0)
  if (refused.length > 0) return `values in ${namesOf(refused)} would be refused`
  const incomplete = environments.filter(({ missing }) => complete && missing.length > 0)
  return incomplete.length === 0
    ? undefined
    : `required keys have no value in ${namesOf(incomplete)}`
}

/** Returns the failure to read the definition, as Markdown. */
export function renderFailureReport({ message, details, advice }: CliError): string {
  return paragraphs([
    '### ❌ Signalbox: the check failed',
    text(message),
    details.length === 0 ? undefined : details.map((line) => `- ${code(line)}`).join('\n'),
    advice === undefined ? undefined : `Fix: ${code(advice.split('\n', 1)[0] ?? '')}`,
  ])
}

function renderChanges(changes: readonly DefinitionChange[]): string {
  return [
    '| | Key | Tier | What |',
    '|---|---|---|---|',
    ...changes.map((change) => {
      const { tier } = change.kind === 'removed' ? change.before : change.after
      const cells = [marks[change.kind], code(change.key), tierWords[tier], describeChange(change)]
      return `| ${cells.join(' | ')} |`
    }),
  ].join('\n')
}

const tierWords = { public: 'public', secret: 'secret', featureFlags: 'flag' } as const

function describeChange(change: DefinitionChange): string {
  const reason = breakingReason(change)
  const breaking = reason === undefined ? '' : `**breaking:** ${text(reason)}`
  if (change.kind === 'removed') return 'no longer declared; `--prune` removes it'
  const words = change.kind === 'added' ? describeKey(change.after) : change.differences.join(', ')
  return [code(words), breaking].filter((part) => part !== '').join(' ')
}

function renderEnvironments(environments: readonly CheckedEnvironment[]): string {
  return [
    '| Environment | Values |',
    '|---|---|',
    ...environments.map(({ environment, production, missing, invalid, unread }) => {
      const name = production ? `**${code(environment)}**` : code(environment)
      const lines = [
        ...invalid.map(({ key, detail }) => `❌ ${code(key)}: ${text(detail)}`),
        ...(missing.length === 0 ? [] : [`⚠️ no value yet for ${missing.map(code).join(', ')}`]),
        ...(unread.length === 0
          ? []
          : [`⚠️ not readable with this token: ${unread.map(code).join(', ')}`]),
      ]
      return `| ${name} | ${lines.length === 0 ? '✅ every value fits' : lines.join('<br>')} |`
    }),
  ].join('\n')
}

function paragraphs(parts: readonly (string | undefined)[]): string {
  const whole = parts.filter((part) => part !== undefined).join('\n\n')
  if (whole.length <= longestComment) return whole
  const cut = whole.slice(0, longestComment)
  return `${cut.slice(0, cut.lastIndexOf('\n'))}\n\n… and more: \`signalbox check --env all\` shows everything.`
}

/** Returns text of a definition or a server as code, which contains no markup, mention or end of a cell. */
function code(content: string): string {
  const flat = content.replaceAll(/\s+/g, ' ').replaceAll('|', String.raw`\|`)
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const space = flat.startsWith('`') || flat.endsWith('`') ? ' ' : ''
  return `${fence}${space}${flat}${space}${fence}`
}

/** Escapes everything that is special in Markdown or HTML. */
function text(content: string): string {
  return content
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_{}[\]()#+!|<>~&@]/g, (character) => `&#${character.charCodeAt(0)};`)
}
