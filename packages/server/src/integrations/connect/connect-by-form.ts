import { Problem, type ProblemCode } from '@signalbox/contract'
import type { IntegrationKind } from '@signalbox/contract/rest'
import type { Caller } from '../../audit/caller.ts'
import type { holdAdmin, PersonOfSession } from '../../identity/members/hold-admin.ts'
import type {
  Connected,
  ConnectField,
  ConnectForm,
  FormConnector,
  SharedConnector,
} from '../../providers/connector.ts'
import { hasNoSpaces } from '../../providers/application-field.ts'
import { displayNameOf, providersOfKind } from '../../providers/find-provider.ts'
import { noSpaces } from '../apps/merge-application.ts'
import { askProvider } from '../grants/ask-provider.ts'
import type { IntegrationDeps } from '../integration-deps.ts'
import type { Integration } from '../integration.ts'
import { listIntegrationRows } from '../rows.ts'
import { explainTaken, accountTaken } from './choose-account.ts'
import { keepConnection, type KeepRejection } from './keep-connection.ts'
import { chooseSharing, shareConnection } from './share-connection.ts'

/** Holds what a member entered. */
export interface ConnectByForm {
  readonly kind: IntegrationKind
  readonly provider: string
  /** By the names of the form's fields. */
  readonly values: Readonly<Record<string, string>>
  /** `undefined`: a token and no browser made the request. */
  readonly person: PersonOfSession | undefined
}

/** Lists what connecting by a form needs. */
export interface ConnectByFormDeps extends IntegrationDeps {
  readonly holdAdmin: typeof holdAdmin
}

/**
 * Connects an organization by values that a member enters, and returns all of its integrations. The provider is asked whether the
 * values are good before anything is stored; what is secret of them is kept sealed. A provider that shares a connection asks for no
 * values. Connecting the same account again replaces the stored values.
 *
 * @throws {Problem} `validation_failed`, `provider_not_set_up`, `integration_not_connected`, `reauth_required`, `provider_error`, `integration_exists`, `conflict`,
 * `role_forbidden`, `session_required`, `sealed`
 */
export async function connectByForm(
  deps: ConnectByFormDeps,
  caller: Caller,
  { kind, provider, values, person }: ConnectByForm,
): Promise<readonly Integration[]> {
  const { orgId, author, request } = caller
  const connector = await chooseForm(deps, orgId, { kind, provider })
  const connected =
    connector.way === 'shared'
      ? await shareConnection(deps, orgId, connector)
      : await connectEntered(deps, connector, values)
  const rejection = await keepConnection(deps, {
    orgId,
    userId: caller.scope.userId ?? null,
    kind,
    connector,
    connected,
    holdAdmin: async (tx) => (person === undefined ? undefined : deps.holdAdmin(tx, orgId, person)),
    author,
    request,
  }).catch((error: unknown) => {
    throw explainTaken(error)
  })
  if (rejection !== undefined) throw toProblem(rejection)
  return deps.store.transaction({ orgId }, (tx) => listIntegrationRows(tx, orgId))
}

/** @throws {Problem} `validation_failed`, `provider_error` */
async function connectEntered(
  deps: Pick<ConnectByFormDeps, 'now'>,
  connector: FormConnector,
  values: ConnectByForm['values'],
): Promise<Connected> {
  const entered = requireValues(connector.form, values)
  const { now } = deps
  const { enteredUrl } = connector
  const connected = await askProvider({ now, enteredUrl }, () => connector.connect(entered))
  if ('refusedField' in connected) {
    throw invalid(`/values/${connected.refusedField}`, connected.detail)
  }
  return connected
}

/** @throws {Problem} `validation_failed`, `provider_not_set_up` */
async function chooseForm(
  { connectorOf, store }: Pick<IntegrationDeps, 'connectorOf' | 'store'>,
  orgId: string,
  { kind, provider: name }: Pick<ConnectByForm, 'kind' | 'provider'>,
): Promise<FormConnector | SharedConnector> {
  const names = providersOfKind(kind).map((provider) => provider.name)
  if (!names.includes(name)) {
    throw invalid('/provider', `No ${kind} has this name. Use one of ${names.join(', ')}.`)
  }
  const connector = connectorOf(kind, name)
  if (connector === undefined) {
    const detail = `${displayNameOf(name)} isn’t set up on this server. An operator of the server sets it up first.`
    throw new Problem('provider_not_set_up', detail)
  }
  if (connector.way === 'form') return connector
  if (connector.way === 'shared') {
    const rows = await store.transaction({ orgId }, (tx) => listIntegrationRows(tx, orgId))
    if (chooseSharing(connector, rows).way === 'shared') return connector
  }
  const advice = `Open the address that GET …/integrations/${kind}/oauth/authorize returns.`
  throw invalid('/provider', `${displayNameOf(name)} is connected in a browser. ${advice}`)
}

/** Returns the values without spaces around them. Refuses what the form does not ask for. @throws {Problem} `validation_failed` */
function requireValues(
  { fields }: ConnectForm,
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const unknown = Object.keys(values).find((name) => fields.every((field) => field.name !== name))
  if (unknown !== undefined) throw invalid('/values', 'The form has no such field.')
  const entered = fields.map((field) => ({ field, value: (values[field.name] ?? '').trim() }))
  const errors = entered.flatMap(({ field, value }) => {
    const detail = refuseValue(field, value)
    if (detail === undefined) return []
    return [{ pointer: `/values/${field.name}`, code: 'validation_failed' as const, detail }]
  })
  const [first] = errors
  if (first !== undefined) throw new Problem('validation_failed', first.detail, { errors })
  return Object.fromEntries(
    entered.filter(({ value }) => value !== '').map(({ field, value }) => [field.name, value]),
  )
}

/** Returns why a value is refused before the provider is asked. `undefined`: it isn't. */
function refuseValue({ role, isRequired }: ConnectField, value: string): string | undefined {
  if (value === '') return isRequired ? 'This field must not be empty.' : undefined
  return role === 'secret' && !hasNoSpaces(value) ? noSpaces : undefined
}

const rejections: Readonly<
  Record<Exclude<KeepRejection, 'account_taken'>, readonly [code: ProblemCode, detail: string]>
> = {
  other_account: [
    'conflict',
    'Another account is connected. Disconnect it on the integration’s page first, then connect this one.',
  ],
  role_changed: ['role_forbidden', 'You are no longer an admin of this organization. Ask one.'],
  session_changed: ['session_required', 'Your session has ended. Sign in and connect again.'],
}

function toProblem(rejection: KeepRejection): Problem {
  return rejection === 'account_taken' ? accountTaken() : new Problem(...rejections[rejection])
}

function invalid(pointer: string, detail: string): Problem {
  const code = 'validation_failed'
  return new Problem(code, detail, { errors: [{ pointer, code, detail }] })
}
