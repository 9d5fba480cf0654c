import { randomBytes } from 'node:crypto'
import { html, json, redirect } from '../../../../../../sandbox/src/http/answers.ts'
import { readFields } from '../../../../../../sandbox/src/http/fields.ts'
import { markup, renderPage } from '../../../../../../sandbox/src/http/page.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../../sandbox/src/http/route.ts'
import { createApp, createAppCredentials, slugOf } from '../create-app.ts'
import { pingApp } from '../hooks/ping-app.ts'
import { notFound } from '../errors.ts'
import { toApp } from '../shapes/app.ts'
import { findAccount, type GithubAccount, type GithubApp, type GithubState } from '../state.ts'
import { noticePage, noSuchPage } from './notice-page.ts'
import { parseManifest } from './parse-manifest.ts'
import type { operations } from '@octokit/openapi-types'
import type { GithubParts } from '../parts.ts'

type Parts = Pick<GithubParts, 'state' | 'emit'>

/** Describes the registration of an app by manifest: its pages, and its endpoint in the API. */
export interface ManifestFlow {
  readonly webRoutes: readonly Route[]
  readonly apiRoutes: readonly Route[]
  reset(): void
}

type Conversion =
  operations['apps/create-from-manifest']['responses'][201]['content']['application/json']

/** Limits the time between the page and the conversion, as GitHub does. */
const codeLifetimeMs = 60 * 60 * 1000

/**
 * Creates the manifest flow.
 *
 * @see https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
export function createManifestFlow(deps: Parts): ManifestFlow {
  const codes = new Map<string, { readonly app: GithubApp; readonly until: Date }>()
  const { state } = deps
  const issueCode = (app: GithubApp) => {
    const code = randomBytes(20).toString('hex')
    codes.set(code, { app, until: new Date(state.clock.now().getTime() + codeLifetimeMs) })
    return code
  }
  const routesBelow = (path: string): Route[] => [
    route(`POST ${path}/new`, (request) => show(deps, request)),
    route(`POST ${path}`, (request) => register(deps, request, issueCode)),
  ]
  return {
    webRoutes: [
      ...routesBelow('/settings/apps'),
      ...routesBelow('/organizations/:organization/settings/apps'),
    ],
    apiRoutes: [
      route('POST /app-manifests/:code/conversions', ({ params: { code = '' } }) => {
        const issued = codes.get(code)
        codes.delete(code)
        if (issued === undefined || state.clock.now() >= issued.until) return notFound()
        return json(toConversion(state, issued.app), 201)
      }),
    ],
    reset: () => codes.clear(),
  }
}

/** Returns the future owner of the app: the organization of the path, or the visitor. */
function ownerOf(state: GithubState, { params }: SandboxRequest): GithubAccount | undefined {
  const { organization } = params
  if (organization === undefined) return findAccount(state, 'ada')
  const account = findAccount(state, organization)
  return account?.type === 'Organization' ? account : undefined
}

function show({ state }: Parts, request: SandboxRequest): Answer {
  const owner = ownerOf(state, request)
  if (owner === undefined) return noSuchPage()
  const text = readFields(request).get('manifest') ?? ''
  const parsed = parseManifest(text)
  if ('problems' in parsed) return invalid(parsed.problems)
  const { name, permissions, events, webhookUrl } = parsed.registration
  const action = `${request.origin}/github${request.path.replace(/\/new$/, '')}`
  const content = markup`<p>An app of ${owner.login}, with</p>
<ul>${Object.entries(permissions).map(([name, access]) => markup`<li>${name}: ${access}</li>`)}</ul>
<p>Webhooks: ${events.join(', ') || 'none'}, to ${webhookUrl ?? 'no address'}</p>
<form method="post" action="${action}">
<input type="hidden" name="manifest" value="${text}">
<input type="hidden" name="state" value="${request.query.get('state') ?? ''}">
<p><label>Name: <input name="name" value="${name}" required></label></p>
<button>Create GitHub App</button>
</form>`
  return html(renderPage('Create GitHub App', content))
}

function register(
  { state, emit }: Parts,
  request: SandboxRequest,
  issueCode: (app: GithubApp) => string,
): Answer {
  const owner = ownerOf(state, request)
  if (owner === undefined) return noSuchPage()
  const fields = readFields(request)
  const parsed = parseManifest(fields.get('manifest') ?? '')
  if ('problems' in parsed) return invalid(parsed.problems)
  const name = fields.get('name') ?? parsed.registration.name
  const slug = slugOf(name)
  if (slug === '') return invalid(['Name is missing.'])
  const isTaken = [...state.apps.values()].some((app) => app.slug === slug)
  if (isTaken) return invalid(['Name is already in use.'])
  const app = createApp(state, { ...parsed.registration, name, owner }, createAppCredentials())
  if (app.webhookUrl !== undefined) pingApp(state, emit, app)
  const to = new URL(parsed.redirectUrl)
  to.searchParams.set('code', issueCode(app))
  const back = fields.get('state') ?? ''
  if (back !== '') to.searchParams.set('state', back)
  return redirect(to)
}

function invalid(problems: readonly string[]): Answer {
  return noticePage('Invalid GitHub App configuration', problems.join(' '), 422)
}

function toConversion(state: GithubState, app: GithubApp) {
  return {
    ...toApp(state, app),
    client_secret: app.clientSecret,
    webhook_secret: app.webhookSecret,
    pem: app.privateKey,
  } satisfies Conversion
}
