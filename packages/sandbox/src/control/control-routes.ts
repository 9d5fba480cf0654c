import { json, redirect } from '../http/answers.ts'
import { readFields, readJson } from '../http/fields.ts'
import type { Answer, Route, SandboxRequest } from '../http/route.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Cast } from '../stage/create-stage.ts'
import { isScenarioName, scenarios } from '../stage/scenarios.ts'
import type { Participant } from '../models/stand-in.ts'
import { presentPush, presentSandbox } from './present.ts'
import { switchesOf } from './switches.ts'
import { visit } from '../visit.ts'
import type { Fault, FaultKind } from '../http/faults.ts'

type Handle = (request: SandboxRequest, sandbox: Sandbox) => Answer | Promise<Answer>

/** Maps the routes below `/control`, which control the sandbox by JSON. Forms of its own page are redirected back to it. */
const handlers: Readonly<Record<string, Handle>> = {
  'GET /control': (_, sandbox) => json(presentSandbox(sandbox)),
  'POST /control/pipelines': setPipelines,
  'POST /control/participants': chooseParticipants,
  'POST /control/visits': visitAndReturn,
  'GET /control/faults': (_, { faults }) => json({ faults: faults.list() }),
  'POST /control/faults'(request, { faults, providers }) {
    const fault = readFault(readJson(request), providers)
    if (fault === undefined)
      return refuse('This is not a known fault. See the README of the sandbox.')
    faults.add(fault)
    return json({ faults: faults.list() }, 201)
  },
  'POST /control/faults/clear'(request, { faults, stage }) {
    faults.reset()
    for (const host of stage.hosts()) host.faults.reset()
    return done(request, { faults: [] })
  },
  'POST /control/switches/:name'(request, sandbox) {
    const switches = switchesOf(sandbox)
    const control = switches.find(({ name }) => name === request.params['name'])
    if (control === undefined) return refuse(`Known switches: ${namesOf(switches)}.`, 404)
    control.turn()
    return done(request, { turned: control.name })
  },
  'POST /control/settings/:name'(request, sandbox) {
    const { settings } = sandbox
    const setting = settings.find(({ name }) => name === request.params['name'])
    if (setting === undefined) return refuse(`Known settings: ${namesOf(settings)}.`, 404)
    setting.set(readFields(request).get('on') === 'true')
    return done(request, { [setting.name]: setting.isOn() })
  },
  'POST /control/clock'(request, { clock }) {
    const advanceMs = Number(readFields(request).get('advanceMs'))
    if (!(advanceMs > 0)) return refuse('Give advanceMs: milliseconds, more than 0.')
    clock.advance(advanceMs)
    return done(request, { now: clock.now().toISOString() })
  },
  'GET /control/requests'({ query }, { log }) {
    const provider = query.get('provider')
    const all = log.list().filter((entry) => provider === null || entry.provider === provider)
    return json({ requests: all.slice(-Number(query.get('limit') ?? 100)) })
  },
  'GET /control/pushes': (_, { stage }) => json({ pushes: stage.pushes().map(presentPush) }),
  'POST /control/push': push,
  'POST /control/proposals'(request, { stage }) {
    const { branch, title } = readJson(request)
    const [host] = stage.hosts()
    if (typeof branch !== 'string' || typeof title !== 'string' || host === undefined)
      return refuse('Give branch and title.')
    return json({ repository: 'acme/shop', ...host.propose({ branch, title }) }, 201)
  },
  async 'POST /control/releases'(request, { stage }) {
    await stage.reportReleases()
    return done(request, { reported: true })
  },
  'POST /control/reset'(request, sandbox) {
    sandbox.reset()
    return done(request, { reset: true })
  },
}

/** Creates the control routes. They look the sandbox up at each request, because it may be created after them. */
export function createControlRoutes(sandbox: () => Sandbox): Route[] {
  return Object.entries(handlers).map(([at, handle]) => {
    const [method, path = ''] = at.split(' ')
    const verb = method === 'GET' ? 'GET' : 'POST'
    return onlyFromHere({ method: verb, path, handle: (request) => handle(request, sandbox()) })
  })
}

/**
 * Takes a person through the pages of a provider. Returns the address to which the browser returns; the product has
 * not received it yet.
 */
async function visitAndReturn(request: SandboxRequest): Promise<Answer> {
  const { url = '', backTo = '', decision } = Object.fromEntries(readFields(request))
  if (!url.startsWith(`${request.origin}/`) || !URL.canParse(backTo)) {
    return refuse(
      'Give url, an address of the sandbox, and backTo, the address to which it leads back.',
    )
  }
  try {
    const query = await visit(url, decision === 'deny' ? 'deny' : 'allow', backTo)
    return json({ location: `${backTo}?${query.toString()}` })
  } catch (error) {
    return refuse(String(error))
  }
}

/** Lets these providers take part, and registers the product with them. */
async function chooseParticipants(request: SandboxRequest, sandbox: Sandbox): Promise<Answer> {
  const { names, service } = readJson(request)
  const chosen = sandbox.cast.filter(({ name }) => Array.isArray(names) && names.includes(name))
  if (!Array.isArray(names) || chosen.length !== names.length || typeof service !== 'string') {
    return refuse(`Give service, and names out of: ${namesOf(sandbox.cast)}.`)
  }
  await sandbox.register(service, names)
  sandbox.participants = chosen.map(({ name }) => name)
  sandbox.stage.setCast(castOf(chosen))
  return json({ participants: sandbox.participants })
}

/** The commits name the issues of a code host only where no other tracker takes part. */
function castOf(chosen: readonly Participant[]): Cast {
  const codeHosts = chosen.filter(({ kind }) => kind === 'codehost').map(({ name }) => name)
  const trackers = chosen.filter(({ kind }) => kind === 'tracker')
  return {
    codeHosts: codeHosts.length === 0 ? undefined : codeHosts,
    issuesAt: trackers.length === 1 ? trackers[0]?.sharesWith : undefined,
  }
}

/**
 * Holds where the pipelines of the shop report to, and which flag breaks the shop. Without a token they report only what the product
 * has started.
 */
function setPipelines(request: SandboxRequest, { stage }: Sandbox): Answer {
  const { url, organization, token, breakingFlag } = readJson(request)
  if (typeof url !== 'string' || typeof organization !== 'string') {
    return refuse('Give url, the address of the product, and organization, its id there.')
  }
  stage.variables = {
    url,
    organization,
    ...(typeof token === 'string' && { token }),
    ...(typeof breakingFlag === 'string' && { breakingFlag }),
  }
  return json({ url, organization })
}

function push(request: SandboxRequest, { stage }: Sandbox): Answer {
  const fields = readFields(request)
  const scenario = fields.get('scenario') ?? 'feature'
  if (!isScenarioName(scenario)) {
    return refuse(
      `There is no scenario ${scenario}. Known scenarios: ${Object.keys(scenarios).join(', ')}.`,
    )
  }
  const spacing = fields.get('spacing') === 'none' ? 'none' : 'realistic'
  const messages = readMessages(readJson(request)['messages'])
  const host = fields.get('host')
  if (host !== undefined && !stage.hosts().some(({ name }) => name === host)) {
    return refuse(`No product is connected to ${host}. Connected: ${namesOf(stage.hosts())}.`)
  }
  const made = stage.push({
    scenario,
    spacing,
    ...(messages && { messages }),
    ...(host !== undefined && { host }),
  })
  return done(request, presentPush(made), 201)
}

function readMessages(value: unknown): readonly string[] | undefined {
  const isUsable = Array.isArray(value) && value.length > 0
  return isUsable ? value.map(String) : undefined
}

function done(request: SandboxRequest, body: object, status = 200): Answer {
  const isForm = !(request.headers['content-type'] ?? '').includes('json')
  return isForm ? redirect('/', 303) : json(body, status)
}

function refuse(message: string, status = 422): Answer {
  return json({ message }, status)
}

function namesOf(named: readonly { readonly name: string }[]): string {
  return named.map(({ name }) => name).join(', ')
}

/**
 * Answers only programs and the sandbox's own pages, and no page of another origin: the sandbox admits everybody who
 * reaches it, and every browser of this machine does.
 */
function onlyFromHere(route: Route): Route {
  return {
    ...route,
    handle: (request) =>
      isFromHere(request)
        ? route.handle(request)
        : json({ message: 'Only pages of the sandbox itself may send this request.' }, 403),
  }
}

/** A host name that DNS resolves to this machine is another origin too. */
function isFromHere({ headers, origin }: SandboxRequest): boolean {
  const { host = '', origin: from = `http://${host}` } = headers
  const { host: own, port } = new URL(origin)
  const isOurs = host === own || host === `localhost:${port}`
  return isOurs && from === `http://${host}`
}

type Fields = Readonly<Record<string, unknown>>

/** Parses a fault out of a JSON body in the form of `Fault`. Returns `undefined` for anything else. */
function readFault(fields: Fields, providers: Sandbox['providers']): Fault | undefined {
  const provider = providers.find(({ name }) => name === fields['provider'])?.name
  const fault = isFields(fields['fault']) ? readKind(fields['fault']) : undefined
  if (provider === undefined || fault === undefined) return undefined
  const { request, times } = fields
  return {
    provider,
    fault,
    ...(typeof request === 'string' ? { request } : {}),
    ...(isCount(times) ? { times } : {}),
  }
}

function readKind(fields: Fields): FaultKind | undefined {
  const { kind, everyMs, ms } = fields
  switch (kind) {
    case 'drop':
    case 'cut':
    case 'hang':
      return { kind }
    case 'drip':
      return isCount(everyMs) ? { kind, everyMs } : undefined
    case 'slow':
      return isCount(ms) ? { kind, ms } : undefined
    case 'answer':
      return readAnswer(fields)
    default:
      return undefined
  }
}

function readAnswer({ status, headers, body }: Fields): FaultKind | undefined {
  if (!isCount(status) || status < 200 || status > 599) return undefined
  return {
    kind: 'answer',
    status,
    ...(isFields(headers) ? { headers: textsOf(headers) } : {}),
    ...(typeof body === 'string' ? { body } : {}),
  }
}

function textsOf(fields: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
