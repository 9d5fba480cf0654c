import { defineCommand } from '../../action.ts'
import type { Answer } from '../../api/operations.ts'
import { carryOut } from '../../changes/resource-commands.ts'
import { momentFlag, textFlag } from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { printable } from '../../terminal/printable.ts'
import { renderTable } from '../../terminal/table.ts'
import { parseDuration } from '../../terminal/times.ts'

/** Defines `signalbox freeze`. */
export const freezeCommand = defineCommand({
  about:
    'Freezes an environment: until the time is over, every deployment to it that asks has to wait, whatever its gates say. Values can still be changed. Without a name it lists the environments that are frozen. An admin who is signed in freezes.',
  examples: [
    'signalbox freeze production --for 2h --reason "ABC-12: payments are down"',
    'signalbox freeze production --until 2026-12-27T08:00+01:00 --reason "Holidays"',
    'signalbox freeze',
  ],
  flags: {
    for: {
      kind: 'parsed',
      parse: parseDuration,
      optional: true,
      brief: 'How long, such as 2h',
      placeholder: 'duration',
    },
    until: momentFlag('Until when, such as 2026-12-27T08:00+01:00'),
    reason: textFlag('text', 'Why, for everybody whose deployment waits'),
  },
  args: [{ brief: 'Name of the environment', placeholder: 'environment', optional: true }],
  run: async (session, flags, name) => {
    if (name === undefined) return listFrozen(session)
    const until = readEnd(flags)
    const { reason } = flags
    if (reason === undefined || reason.trim() === '') {
      throw incomplete('--reason is missing.', 'Say why: --reason "ABC-12: payments are down"')
    }
    const { api, organization } = await openOrganization(session)
    const environment = await api.environment(organization.id, name)
    await carryOut(session, {
      would: `freeze ${environment.name} until ${until}`,
      plan: { environment, until, reason },
      send: () =>
        api.call('freezeEnvironment', {
          params: { org_id: organization.id, environment_id: environment.id },
          body: { until, reason },
        }),
      done: (freeze) => [
        `Froze ${printable(environment.name)} until ${freeze.until}. To end it: signalbox unfreeze ${environment.name}`,
        { freeze },
      ],
    })
  },
})

/** Defines `signalbox unfreeze`. */
export const unfreezeCommand = defineCommand({
  about: 'Ends the freeze of an environment. Deployments that wait for it alone go on.',
  examples: ['signalbox unfreeze production'],
  args: [{ brief: 'Name of the environment', placeholder: 'environment' }],
  run: async (session, _flags, name) => {
    const { api, organization } = await openOrganization(session)
    const environment = await api.environment(organization.id, name)
    await carryOut(session, {
      would: `end the freeze of ${environment.name}`,
      plan: { environment },
      send: () =>
        api.call('endFreeze', {
          params: { org_id: organization.id, environment_id: environment.id },
        }),
      done: () => [`Ended the freeze of ${printable(environment.name)}`, { unfrozen: name }],
    })
  },
})

type Freeze = Answer<'listFreezes'>['items'][number]

async function listFrozen(session: Session): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const [{ items }, environments] = await session.progress('Reading the freezes', () =>
    Promise.all([
      api.call('listFreezes', { params: { org_id: organization.id } }),
      api.environments(organization.id),
    ]),
  )
  const nameOf = ({ environmentId }: Freeze) =>
    environments.find(({ id }) => id === environmentId)?.name ?? environmentId
  const { output } = session
  output.document({ freezes: items })
  output.data(
    items.length === 0
      ? 'No environment is frozen.'
      : renderTable(
          items.map((freeze) => [
            output.styles.bold(printable(nameOf(freeze))),
            `until ${freeze.until}`,
            printable(freeze.reason),
          ]),
        ),
  )
}

function readEnd({
  for: lastsMs,
  until,
}: {
  readonly for?: number | undefined
  readonly until?: Date | undefined
}): string {
  if ((lastsMs === undefined) === (until === undefined)) {
    throw incomplete('Use either --for or --until.', 'Say how long, such as --for 2h')
  }
  return (until ?? new Date(Date.now() + (lastsMs ?? 0))).toISOString()
}

function incomplete(message: string, advice: string): CliError {
  return new CliError('usage', 'usage', message, { advice })
}
