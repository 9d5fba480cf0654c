import type { Api } from '../../api/api.ts'
import type { CallInput } from '../../api/operations.ts'
import { listFlag } from '../../cli-context.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { parseDuration } from '../../terminal/times.ts'

/** Holds the steps of a rollout. */
export type Steps = NonNullable<CallInput<'createRolloutPlan'>['body']>['steps']

/** Holds what the flags of steps give. */
export interface StepFlags {
  readonly steps?: readonly string[] | undefined
  readonly hold?: number | undefined
  readonly approveStep?: readonly string[] | undefined
}

/** Lists the flags that say how a rollout grows. */
export const stepFlags = {
  steps: listFlag('percents', 'Shares, such as 5,25,50,100'),
  hold: {
    kind: 'parsed',
    parse: parseDuration,
    optional: true,
    brief: 'How long each step but the last holds, such as 1d',
    placeholder: 'duration',
  },
  approveStep: listFlag('numbers', 'Steps that somebody approves before they begin, from 2'),
} as const

/** Reads the steps of the flags, or of a template. @throws {CliError} `usage`, `template_not_found` */
export async function readSteps(
  api: Api,
  orgId: string,
  { template, ...flags }: StepFlags & { readonly template?: string | undefined },
): Promise<Steps> {
  if ((flags.steps ?? []).length > 0 === (template !== undefined))
    throw usage('Use either --steps <percents> or --template <name>.')
  if (template !== undefined) return (await findTemplate(api, orgId, template)).steps
  return toSteps(flags)
}

/** Returns the steps that the flags give. @throws {CliError} `usage` */
export function toSteps({ steps = [], hold = 0, approveStep = [] }: StepFlags): Steps {
  if (!Number.isFinite(hold)) throw usage('Use --hold with a duration, such as 1d.')
  const approved = new Set(approveStep.map(Number))
  return steps.map((text, at) => {
    const percent = Number(text.replace(/%$/, ''))
    if (text.trim() === '' || Number.isNaN(percent)) throw usage(`"${text}" is no share.`)
    const holdMinutes = at === steps.length - 1 ? 0 : Math.ceil(hold / 60_000)
    return { percent, holdMinutes, ...(approved.has(at + 1) && { approve: true }) }
  })
}

/** Finds a release template by its name. @throws {CliError} `template_not_found` */
export async function findTemplate(api: Api, orgId: string, name: string) {
  const params = { org_id: orgId }
  const { items } = await api.call('listReleaseTemplates', { params, query: { limit: 100 } })
  const template = items.find((each) => each.name.toLowerCase() === name.toLowerCase())
  if (template !== undefined) return template
  throw new CliError('failure', 'template_not_found', `There is no release template "${name}".`, {
    advice: items.map((each) => each.name).join(', ') || 'Give the steps: --steps 5,25,50,100',
  })
}

function usage(message: string): CliError {
  return new CliError('usage', 'usage', message, { advice: 'signalbox rollout --help' })
}
