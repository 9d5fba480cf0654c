import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fromOwnPage } from '../../identity/testing/open-identity-app.ts'
import { isLoopback } from '../../providers/github/loopback.ts'
import { webhookUrl } from '../../providers/find-provider.ts'
import { github } from '../../providers/github/index.ts'
import { renderManifest } from '../../providers/github/registration.ts'
import { sandboxAddresses } from '../testing/sandbox-contexts.ts'
import { openProviderAppsApp, type ProviderAppsApp } from '../testing/open-provider-apps-app.ts'

let sandbox: Sandbox
let app: ProviderAppsApp
const back = '/server/provider-apps/github/manifest/callback'

beforeAll(async () => {
  sandbox = await startSandbox()
  app = await openProviderAppsApp({ addresses: sandboxAddresses(sandbox) })
})
afterAll(async () => {
  await app.close()
  await sandbox.close()
})
beforeEach(async () => {
  sandbox.reset()
  await app.test.asOwner('delete from provider_apps')
})

/** Reads the first form of a page as a browser sends it: where to, and what is in it. */
function readForm(whole: string, at?: string) {
  const [page = ''] = whole.split('</form>')
  const unescape = (text = '') =>
    text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
  const fields = new URLSearchParams()
  for (const [tag] of page.matchAll(/<input [^>]*>/g)) {
    const value = (name: string) => unescape(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1])
    fields.set(value('name'), value('value'))
  }
  return { action: new URL(unescape(/action="([^"]+)"/.exec(page)?.[1]), at).href, fields }
}

const post = (url: string, body: URLSearchParams) =>
  fetch(url, { method: 'POST', body, redirect: 'manual' })

/** Presses the button of our page and then GitHub's. Answers what GitHub sends the browser back with. */
async function register(page: string) {
  const ours = readForm(page)
  const asked = await post(ours.action, ours.fields)
  const theirs = readForm(await asked.text(), ours.action)
  const name = `signalbox-${crypto.randomUUID().slice(0, 8)}`
  theirs.fields.set('name', name)
  const made = await post(theirs.action, theirs.fields)
  return { name, url: new URL(made.headers.get('location') ?? '') }
}

const cookieIn = (headers: Headers) => headers.get('set-cookie')?.split(';')[0] ?? ''

async function begin(path = '/setup/github-app', session = app.owner.cookie) {
  const shown = await app.call(`GET ${path}`, { headers: { cookie: session } })
  return { ...shown, cookie: cookieIn(shown.headers) }
}

/** Comes back in a browser that has these cookies. */
const comeBack = ({ search }: URL, ...cookies: string[]) =>
  app.call(`GET ${back}${search}`, { headers: { cookie: cookies.join('; ') } })

const codeOf = ({ text }: { readonly text: string }) => /<code>(\w+)<\/code>/.exec(text)?.[1]

describe('registering the GitHub App in one click', () => {
  it('ends with an App in force, and an event that says who', async () => {
    const shown = await begin()
    expect(shown.status).toBe(200)
    const { name, url } = await register(shown.text)
    const ended = await comeBack(url, app.owner.cookie, shown.cookie)
    expect([ended.status, ended.text.includes(name)]).toEqual([200, true])
    for (const page of [shown, ended]) expect(page.text).toContain('href="/?integration=codehost"')
    const made = app.feed.find('github')?.values
    expect(made).toMatchObject({ slug: name, privateKey: expect.stringContaining('PRIVATE KEY') })
    const [event] = await app.test.asOwner(
      `select actor, detail from audit_events where action = 'provider_app.registered'`,
    )
    expect(event).toMatchObject({
      actor: { name: 'Ada' },
      detail: { origin: 'manifest', appId: made?.['appId'] },
    })
    const texts = [shown.text, ended.text, JSON.stringify(event)].join()
    for (const secret of [
      made?.['clientSecret'],
      made?.['privateKey']?.split('\n')[3],
      url.searchParams.get('code'),
    ]) {
      expect(secret?.length).toBeGreaterThan(10)
      expect(texts).not.toContain(secret)
    }
  })

  it('says that it replaces an App only where there is one', async () => {
    await app.feed.refresh()
    const replaces = 'This replaces the current app.'
    const first = await begin()
    expect(first.text).not.toContain(replaces)
    const { url } = await register(first.text)
    await comeBack(url, app.owner.cookie, first.cookie)
    expect((await begin()).text).toContain(replaces)
  })

  it('asks for what the service needs, in the name of an account', async () => {
    const shown = await begin('/setup/github-app?organization=acme')
    const { action, fields } = readForm(shown.text)
    expect(action).toMatch(/\/organizations\/acme\/settings\/apps\/new\?state=/)
    expect(JSON.parse(fields.get('manifest') ?? '')).toMatchObject({
      request_oauth_on_install: true,
      setup_on_update: true,
      default_permissions: {
        deployments: 'write',
        actions: 'write',
        contents: 'read',
        pull_requests: 'read',
        checks: 'write',
        statuses: 'write',
      },
      default_events: expect.arrayContaining(['pull_request', 'deployment_protection_rule']),
      redirect_url: `http://127.0.0.1:4400${back}`,
    })
    const { url } = await register(shown.text)
    expect((await comeBack(url, app.owner.cookie, shown.cookie)).status).toBe(200)
  })

  it('takes the name of an organization, and says what is wrong with one that cannot be', async () => {
    const own = await begin('/setup/github-app?organization=')
    expect(own.text).toContain('It will belong to your own account on GitHub.')
    expect(own.text).not.toContain('role="alert"')
    const named = await begin('/setup/github-app?organization=acme')
    expect(named.text).toContain('It will belong to the organization <code>acme</code> on GitHub.')
    expect(named.text).toContain('name="organization" value="acme"')
    const wrong = await begin('/setup/github-app?organization=my%20shop!')
    expect(wrong.text).toContain('<p role="alert">That can’t be a name on GitHub.')
    expect(wrong.text).toContain('name="organization" value="my shop!"')
    expect(wrong.text).toContain('It will belong to your own account on GitHub.')
  })

  it('lets its forms go to GitHub and to this server, and to nowhere else', async () => {
    const policy = (await begin()).headers.get('content-security-policy') ?? ''
    const origin = new URL(sandbox.addresses.githubWeb).origin
    expect(/form-action ([^;]+)/.exec(policy)?.[1]).toBe(`'self' ${origin}`)
    const home = await app.call(`GET ${back}`)
    expect(home.headers.get('content-security-policy')).toContain(`form-action 'self'`)
  })

  it('gives the dashboard the same, with the cookie', async () => {
    const answer = await app.asOwner('GET /server/provider-apps/github/manifest')
    expect(Object.keys(answer.body)).toEqual(['action', 'manifest', 'state'])
    const { action, manifest } = answer.body
    const page = `<form action="${action}"><input name="manifest" value="${manifest.replaceAll('"', '&quot;')}">`
    const { url } = await register(page)
    expect(url.searchParams.get('state')).toBe(answer.body.state)
    const ended = await comeBack(url, app.owner.cookie, cookieIn(answer.headers))
    expect(ended.status).toBe(200)
  })
})

describe('a way back', () => {
  it('is taken once, also of two at the same moment', async () => {
    const shown = await begin()
    const { url } = await register(shown.text)
    const both = await Promise.all([
      comeBack(url, app.owner.cookie, shown.cookie),
      comeBack(url, app.owner.cookie, shown.cookie),
    ])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    const again = await comeBack(url, app.owner.cookie, shown.cookie)
    expect([again.status, codeOf(again)]).toEqual([400, 'state_used'])
    expect(again.text).toContain('href="/?integration=codehost"')
  })

  it('is refused in another browser, to another person, and changed, before GitHub is asked', async () => {
    const shown = await begin()
    const { url } = await register(shown.text)
    const other = await openSecondOwner()
    const asked = sandbox.log.list().length
    const changed = new URL(url)
    changed.searchParams.set('state', `${url.searchParams.get('state')}x`)
    const outcomes = [
      await comeBack(url, app.owner.cookie),
      await comeBack(url, app.owner.cookie, `__Host-manifest=${'A'.repeat(43)}`),
      await comeBack(url, other, shown.cookie),
      await comeBack(changed, app.owner.cookie, shown.cookie),
      await comeBack(url, shown.cookie),
    ].map(codeOf)
    expect(outcomes).toEqual([...Array.from({ length: 4 }, () => 'state_invalid'), 'signed_out'])
    expect(sandbox.log.list()).toHaveLength(asked)
    // None of them has used it up.
    expect((await comeBack(url, app.owner.cookie, shown.cookie)).status).toBe(200)
  })

  it('is refused to who runs the server no more, with an event', async () => {
    const shown = await begin()
    const { url } = await register(shown.text)
    await setRole('admin')
    const ended = await comeBack(url, app.owner.cookie, shown.cookie)
    expect([ended.status, codeOf(ended)]).toEqual([403, 'not_operator'])
    expect((await begin()).status).toBe(403)
    await setRole('owner')
    const [event] = await app.test.asOwner(
      `select detail from audit_events where action = 'provider_app.callback_refused' order by sequence desc`,
    )
    expect(event).toEqual({ detail: { reason: 'not_operator' } })
    expect(await app.test.asOwner('select from provider_apps')).toHaveLength(0)
  })

  it('stores no App of somebody who stops to run the server while GitHub gives its keys', async () => {
    const shown = await begin()
    const { url } = await register(shown.text)
    let letGoOn = () => {}
    const until = new Promise<void>((resolve) => {
      letGoOn = resolve
    })
    const request = `POST /app-manifests/${url.searchParams.get('code')}/conversions`
    sandbox.faults.add({ provider: 'github', request, fault: { kind: 'hold', until } })
    const answer = comeBack(url, app.owner.cookie, shown.cookie)
    await expect.poll(() => sandbox.faults.list()).toEqual([])
    await setRole('admin')
    letGoOn()
    expect(codeOf(await answer)).toBe('not_operator')
    await setRole('owner')
    expect(await app.test.asOwner('select from provider_apps')).toHaveLength(0)
  })

  it('without a code of GitHub stores nothing', async () => {
    for (const [code, outcome] of [
      ['', 'nothing_made'],
      ['../../x', 'nothing_made'],
      ['0'.repeat(40), 'conversion_failed'],
    ] as const) {
      const shown = await begin()
      const { url } = await register(shown.text)
      url.searchParams.set('code', code)
      expect(codeOf(await comeBack(url, app.owner.cookie, shown.cookie))).toBe(outcome)
    }
    expect(await app.test.asOwner('select from provider_apps')).toHaveLength(0)
  })

  it('while GitHub does not answer says so', async () => {
    const shown = await begin()
    const { url } = await register(shown.text)
    const code = url.searchParams.get('code')
    sandbox.faults.add({
      provider: 'github',
      request: `POST /app-manifests/${code}/conversions`,
      fault: { kind: 'cut' },
    })
    const ended = await comeBack(url, app.owner.cookie, shown.cookie)
    expect([ended.status, codeOf(ended)]).toEqual([424, 'provider_unavailable'])
  })

  it('is refused after an hour', async () => {
    const shown = await begin()
    const { url } = await register(shown.text)
    app.clock.advance(3600_000)
    const ended = await comeBack(url, app.owner.cookie, shown.cookie)
    expect([ended.status, codeOf(ended)]).toEqual([400, 'state_expired'])
    // By now the password was typed too long ago to begin again.
    expect(codeOf(await begin())).toBe('step_up_required')
    const answer = await app.asOwner('GET /server/provider-apps/github/manifest')
    expect(answer.body.code).toBe('step_up_required')
  })
})

describe('the page', () => {
  it('shows no form to a browser that nobody is signed in to', async () => {
    for (const session of ['', '__Host-s=expired']) {
      const shown = await begin('/setup/github-app', session)
      expect([shown.status, codeOf(shown)]).toEqual([401, 'signed_out'])
      expect(shown.text).not.toContain('<form')
    }
  })
})

/** Renders what a server at an address asks GitHub for. */
const manifestAt = (publicUrl: string) =>
  renderManifest({
    publicUrl,
    callbackUrl: `${publicUrl}/integrations/codehost/oauth/callback`,
    webhookUrl: webhookUrl(github, publicUrl),
    returnUrl: `${publicUrl}${back}`,
  })

describe('renderManifest', () => {
  it('names an address for webhooks that GitHub takes, and where it cannot reach us one that leads nowhere', () => {
    expect(manifestAt('https://signalbox.example.com')).toMatchObject({
      name: 'Signalbox signalbox.example.com',
      hook_attributes: { url: 'https://signalbox.example.com/webhooks/codehost', active: true },
    })
    for (const url of ['http://localhost:4400', 'http://127.0.0.1', 'http://[::1]:4400']) {
      // Active all the same: GitHub logs the deliveries of an active webhook alone.
      const leadsNowhere = { url: 'https://signalbox.invalid/webhooks/codehost', active: true }
      expect(manifestAt(url)).toMatchObject({ hook_attributes: leadsNowhere })
    }
    expect(isLoopback('https://localhost.example.com')).toBe(false)
  })
})

const setRole = (role: string) =>
  app.test.asOwner('update members set role = $1 where user_id = $2', [role, app.owner.userId])

/** Another owner who is signed in. Answers the session's cookie. */
async function openSecondOwner(): Promise<string> {
  const { userId } = await app.addPerson('second', { [app.owner.orgId]: 'owner' })
  await app.test.asOwner(
    'update users set password_hash = (select password_hash from users where id = $2) where id = $1',
    [userId, app.owner.userId],
  )
  const body = { email: 'second@example.com', password: 'correct horse battery staple' }
  const answer = await app.ok('POST /sessions', { body, headers: fromOwnPage('') })
  return cookieIn(answer.headers)
}
