import { buildRouteMap } from '@stricli/core'
import { defineCommand } from '../../action.ts'
import type { Answer, Signal } from '../../api/operations.ts'
import { changeFlags, sendConfirmed } from '../../changes/confirmation.ts'
import {
  assertSecretFile,
  printSecret,
  readSecretLine,
  secretFileFlag,
} from '../../changes/one-time-secret.ts'
import { askToDelete, carryOut, defineList } from '../../changes/resource-commands.ts'
import { type CliContext, switchFlag, textFlag } from '../../cli-context.ts'
import { briefs } from '../../help/briefs.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { printable } from '../../terminal/printable.ts'
import type { Styles } from '../../terminal/styles.ts'
import { changesSpec, kindFlag, specFlags, toSpec } from './signal-spec.ts'

const nameArgument = { brief: 'Name or id of the signal', placeholder: 'name' } as const

const list = defineList<Signal>({
  noun: 'signals',
  word: 'signals',
  member: 'signals',
  about: 'Lists the signals, with what each said last. Never shows a secret.',
  create: 'Create one: signalbox signals create <name> --kind alert',
  read: (api, orgId) => api.signals(orgId),
  rowOf: (signal, styles) => [
    styles.bold(printable(signal.name)),
    signal.kind,
    describeReading(signal.last, styles),
    signal.usedBy.map(({ environment }) => printable(environment)).join(' '),
    styles.dim(signal.id),
  ],
})

function describeReading(reading: Signal['last'], { green, red, yellow, dim }: Styles): string {
  if (reading === null) return dim('not read yet')
  const { verdict, value, detail } = reading
  const color = verdict === 'good' ? green : verdict === 'bad' ? red : yellow
  const said = color(verdict === 'none' ? 'no data' : verdict)
  return `${said}${value === null ? '' : ` ${value}`}${detail === null ? '' : `  ${printable(detail)}`}`
}

const show = defineCommand({
  brief: 'Show a signal',
  about:
    'Shows a signal: where it reads, what is bad, what it said last, and the environments whose policy names it. Never shows a secret.',
  examples: ['signalbox signals show api-errors', 'signalbox signals show api-errors --json'],
  args: [nameArgument],
  run: async (session, _flags, reference) => {
    const { api, organization } = await openOrganization(session)
    const signal = await api.signal(organization.id, reference)
    const { output } = session
    const { name, kind, spec, address, hasCredential, last, usedBy } = signal
    output.document({ signal })
    output.data(
      [
        `${output.styles.bold(printable(name))}  ${kind}`,
        ...Object.entries(spec ?? {})
          .filter(([member]) => member !== 'kind')
          .map(([member, value]) => `  ${member}: ${printable(asText(value))}`),
        ...(address === null ? [] : [`  address: ${address}`]),
        ...(hasCredential ? ['  a credential is stored, which nothing shows'] : []),
        `  ${describeReading(last, output.styles)}`,
        ...usedBy.map(({ environment }) => `  in the policy of ${printable(environment)}`),
      ].join('\n'),
    )
  },
})

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const credentialFlags = {
  authorizationStdin: switchFlag('prometheus, http: read an Authorization header from stdin'),
  clientSecretStdin: switchFlag('alert of Sentry: read its client secret from stdin'),
} as const

interface CredentialFlags {
  readonly authorizationStdin?: boolean | undefined
  readonly clientSecretStdin?: boolean | undefined
}

/** Reads the credential of a signal from standard input, if a flag says so. */
async function readCredential(
  session: Session,
  { authorizationStdin, clientSecretStdin }: CredentialFlags,
): Promise<{ readonly authorization?: string; readonly clientSecret?: string }> {
  if (authorizationStdin === true)
    return { authorization: await readSecretLine(session, 'The Authorization header') }
  if (clientSecretStdin !== true) return {}
  return { clientSecret: await readSecretLine(session, 'The client secret') }
}

const create = defineCommand({
  brief: 'Create a signal',
  about:
    'Creates a signal. That of alerts has an address and a secret, which is printed once: standard output holds the secret and nothing else.',
  examples: [
    'signalbox signals create pager --kind alert',
    `signalbox signals create api-errors --kind prometheus --url https://prometheus.example.com --query 'sum(rate(errors_total{env="{environment}"}[1m]))' --above 2`,
    'signalbox signals create shop --kind http --url https://shop.example.com/health',
    'signalbox signals create e2e --kind tests --repository acme/shop --workflow e2e.yml',
  ],
  flags: { kind: kindFlag, ...specFlags, ...credentialFlags, secretFile: secretFileFlag },
  args: [{ brief: 'Name of the signal', placeholder: 'name' }],
  run: async (session, flags, name) => {
    await assertSecretFile(session, flags.secretFile)
    const spec = toSpec(flags.kind, flags)
    const credential = flags.dryRun ? {} : await readCredential(session, flags)
    const { api, organization } = await openOrganization(session)
    const { output } = session
    if (flags.dryRun) {
      output.document({ dryRun: true, signal: { name, spec } })
      output.result(`Would create the signal ${printable(name)}.`)
      return
    }
    const made = await api.call('createSignal', {
      params: { org_id: organization.id },
      body: { name, spec, ...credential },
    })
    output.note(
      `${output.errorStyles.green('✓')} Created the signal ${printable(name)}  ${made.id}`,
    )
    await printMade(session, made, flags.secretFile)
  },
})

/** Prints a signal that was saved, with its address and, where it has a new one, its secret. */
async function printMade(
  session: Session,
  { secret, ...signal }: Answer<'createSignal'>,
  file: string | undefined,
): Promise<void> {
  const { output } = session
  if (signal.address !== null) output.note(`  Alerts are sent to ${signal.address}`)
  if (secret === null) {
    output.document({ signal })
    return
  }
  const made = { document: { signal }, secret, noun: 'secret', to: 'the sender of the alerts' }
  await printSecret(session, made, file)
}

const update = defineCommand({
  brief: 'Change a signal',
  about:
    'Changes only what is given. Where the policy of an environment names the signal, its approvers decide about what is bad from now on.',
  examples: [
    'signalbox signals update api-errors --above 5',
    'signalbox signals update pager --new-secret',
  ],
  flags: {
    name: textFlag('name', 'New name'),
    ...specFlags,
    ...credentialFlags,
    newSecret: switchFlag('alert: give its address another secret, which is printed once'),
    secretFile: secretFileFlag,
    ...changeFlags,
  },
  args: [nameArgument],
  run: async (session, flags, reference) => {
    await assertSecretFile(session, flags.secretFile)
    const { api, organization } = await openOrganization(session)
    const signal = await api.signal(organization.id, reference)
    const { name, newSecret } = flags
    const change = {
      ...(name !== undefined && { name }),
      ...(changesSpec(flags) && { spec: toSpec(signal.kind, flags, requireSpec(signal)) }),
      ...(newSecret === true && { newSecret }),
      ...(await readCredential(session, flags)),
    }
    if (Object.keys(change).length === 0) {
      const why = `Nothing to change in ${signal.name}: give a flag.`
      throw new CliError('usage', 'change_required', why, {
        advice: 'signalbox signals update --help',
      })
    }
    const { output } = session
    if (flags.dryRun) {
      output.document({ dryRun: true, signal, change: Object.keys(change) })
      output.result(`Would change the signal ${printable(signal.name)}.`)
      return
    }
    const saved = await sendConfirmed(session, flags, [], (confirmation) =>
      api.call('updateSignal', {
        params: { org_id: organization.id, signal_id: signal.id },
        body: { ...change, ...confirmation },
        ifMatch: signal.revision,
      }),
    )
    output.note(`${output.errorStyles.green('✓')} Changed the signal ${printable(saved.name)}`)
    await printMade(session, saved, flags.secretFile)
  },
})

/** @throws {CliError} `role_forbidden` where the token is no admin's, who alone sees where a signal reads */
function requireSpec({ spec, name }: Signal): NonNullable<Signal['spec']> {
  if (spec !== null) return spec
  throw new CliError(
    'authentication',
    'role_forbidden',
    `Only admins change where ${name} reads, and what is bad.`,
  )
}

const test = defineCommand({
  brief: 'Read a signal now',
  about: 'Reads a signal and prints what it says. Nothing is judged by it.',
  examples: ['signalbox signals test api-errors --env production'],
  flags: {
    env: textFlag('name', 'Environment that fills the placeholders of a query'),
    schema: textFlag('name', 'Schema that fills them'),
  },
  args: [nameArgument],
  run: async (session, { env, schema }, reference) => {
    const { api, organization } = await openOrganization(session)
    const orgId = organization.id
    const { id, name } = await api.signal(orgId, reference)
    const schemaId = schema && (await api.findSchema(orgId, schema))?.id
    const reading = await session.progress(`Reading ${name}`, async () =>
      api.call('testSignal', {
        params: { org_id: orgId, signal_id: id },
        body: {
          ...(env !== undefined && { environmentId: (await api.environment(orgId, env)).id }),
          ...(schemaId !== undefined && schemaId !== '' && { schemaId }),
        },
      }),
    )
    const { output } = session
    output.document({ signal: { id, name }, reading })
    output.data(`${printable(name)}: ${describeReading(reading, output.styles)}`)
  },
})

const remove = defineCommand({
  brief: 'Delete a signal',
  about: 'Deletes a signal that no policy names.',
  examples: ['signalbox signals delete pager --yes'],
  args: [nameArgument],
  run: async (session, _flags, reference) => {
    const { api, organization } = await openOrganization(session)
    const signal = await api.signal(organization.id, reference)
    const { id, name, revision } = signal
    await carryOut(session, {
      would: `delete the signal ${printable(name)}`,
      plan: { signal },
      ask: askToDelete(name, `Delete the signal ${name}?`),
      send: () =>
        api.call('deleteSignal', {
          params: { org_id: organization.id, signal_id: id },
          ifMatch: revision,
        }),
      done: () => [`Deleted the signal ${printable(name)}`, { deleted: name, id }],
    })
  },
})

/** Defines `signalbox signals`, whose default is the list. */
export const signalsRoutes = buildRouteMap<
  'list' | 'show' | 'create' | 'update' | 'test' | 'delete',
  CliContext
>({
  routes: { list, show, create, update, test, delete: remove },
  defaultCommand: 'list',
  docs: { brief: briefs.signals },
})
