import { serverChain } from '../audit/audit-event.ts'
import { describeOutlets } from '../audit/outlets/describe-outlets.ts'
import { listOutletStates } from '../audit/outlets/outlet-rows.ts'
import type { Feature, Kit } from '../kit.ts'
import { serverVersion } from '../telemetry/version.ts'
import { checkReadiness, type ReadinessPorts } from './check-readiness.ts'
import { describeDisk, readDiskSpace } from './describe-disk.ts'
import { describeUndeclared } from './describe-undeclared.ts'
import { mountPages } from './pages.ts'
import type { ReadinessCheck } from './readiness.ts'
import { mountOperation, type OperationDeps } from './routes.ts'
import { mountServerStatus } from './server-status.ts'

/** Describes what operation needs of the process. */
export type OperationPorts = ReadinessPorts &
  Pick<OperationDeps, 'configUrl'> & {
    /** Describes whether changes reach NATS; absent in a process that does not publish there. */
    readonly publication: ((audience: Audience) => ReadinessCheck) | undefined
  }

/** Anybody may read the readiness, and the addresses in it are of the operator's network. */
type Audience = 'anybody' | 'operator'

/** Says that the token which opens every door without a password is still there. Only operators are told. */
const bootstrapIsSet: ReadinessCheck = {
  ok: true,
  warning: true,
  detail:
    'SIGNALBOX_BOOTSTRAP_TOKEN is set. With this token anybody is an owner of every organization, without a password. Remove it from the settings when the server is set up.',
}

/** Opens health, readiness, metrics, the status of the server and the documentation. */
export function openOperation(
  { settings, store, jobs, metrics, publicUrl, undeclaredProxies, now, stop }: Kit,
  { configUrl, publication, ...ports }: OperationPorts,
): Feature {
  const space = () => readDiskSpace(settings.dataDir)
  metrics.watchDisk(async () => {
    const { free, size } = await space()
    return free / size
  })
  const checkStorage = async () =>
    settings.databaseUrl === undefined
      ? describeDisk(await store.check(), await space())
      : store.check()
  const check = async (audience: Audience): Promise<Record<string, ReadinessCheck>> => {
    const addresses = undeclaredProxies.list()
    const senders = audience === 'operator' ? addresses.join(', ') : 'an address'
    return {
      ...(await checkReadiness({ store: { ...store, check: checkStorage }, jobs }, ports)),
      ...(publication && { publication: publication(audience) }),
      ...(addresses.length > 0 && { proxy: describeUndeclared(senders) }),
    }
  }
  const checks = () => check('anybody')
  const { otlp, ndjson } = settings.audit
  const checkAudit = async (): Promise<Record<string, ReadinessCheck>> => {
    if (otlp === undefined && !ndjson) return {}
    const states = await store.maintenance((tx) => listOutletStates(tx, now()))
    const configured = new Set([otlp && 'otlp', ndjson && 'stdout'])
    return { audit: describeOutlets(states.filter(({ name }) => configured.has(name))) }
  }
  const status = {
    store,
    version: serverVersion,
    startedAt: now(),
    engine: settings.databaseUrl === undefined ? 'embedded' : 'postgres',
    roles: settings.roles,
    checks: async () => ({
      ...(await check('operator')),
      ...(await checkAudit()),
      ...(settings.bootstrapToken !== undefined && { bootstrapToken: bootstrapIsSet }),
    }),
    serverChain,
  } as const
  return {
    mount(router) {
      const version = serverVersion
      mountOperation(router, { version, metrics, publicUrl, configUrl, checks, stop })
      mountPages(router)
      mountServerStatus(router, status)
    },
  }
}
