import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard.close())

const mark = (text: string) => `document.documentElement.dataset.taken = ${text}`
const styleOf = `getComputedStyle(document.documentElement).getPropertyValue('--taken')`

/** Lists attacks within a page, and the browser's message where it refuses them. Each leaves its mark where it succeeds. */
const attempts = [
  {
    what: 'a script within the page',
    leaves: 'script',
    run: `const script = document.createElement('script')
      script.append("${mark(`'script'`)}")
      document.head.append(script)`,
    complaint: /TrustedScript|script-src|inline script/,
  },
  {
    what: 'markup made of text',
    leaves: 'markup',
    run: `const place = document.createElement('div')
      place.innerHTML = '<b>markup</b>'
      ${mark('place.querySelector("b").textContent')}`,
    complaint: /TrustedHTML/,
  },
  {
    what: 'a policy that lets text be markup',
    leaves: 'policy',
    run: `const policy = trustedTypes.createPolicy('anything', { createHTML: (text) => text })
      ${mark('String(policy.createHTML("policy"))')}`,
    complaint: /TrustedTypePolicy|trusted-types|createPolicy/,
  },
  {
    what: 'a style within the page',
    leaves: 'style',
    run: `const style = document.createElement('style')
      style.append('html { --taken: style }')
      document.head.append(style)
      if (${styleOf} !== '') ${mark(styleOf)}`,
    complaint: /style-src/,
  },
  {
    what: 'a style that stands at an element',
    leaves: 'attribute',
    run: `document.documentElement.setAttribute('style', '--taken: attribute')
      if (${styleOf} !== '') ${mark(styleOf)}`,
    complaint: /style-src/,
  },
  {
    what: 'a request to another host',
    leaves: 'request',
    run: `fetch('https://elsewhere.example/take', { mode: 'no-cors' })
      .then(() => { ${mark(`'request'`)} }, () => undefined)`,
    complaint: /elsewhere\.example[^]*connect-src/,
  },
  {
    what: 'a picture of another host',
    leaves: 'picture',
    run: `const image = document.createElement('img')
      image.onload = () => { ${mark(`'picture'`)} }
      image.src = 'https://elsewhere.example/pixel.svg'
      document.body.append(image)`,
    complaint: /elsewhere\.example[^]*img-src/,
  },
] as const

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'

/** Runs it in the page as a script of its own does. Some throw, and some are refused in silence but for the console. */
async function attempt({ page }: Seat, code: string): Promise<void> {
  // The other host is there and answers: nothing but the policy keeps it from being asked.
  await page.route('https://elsewhere.example/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: picture }),
  )
  await page.evaluate(`(() => { ${code} })()`).catch(() => undefined)
}

/** Returns the mark that an attack left on the page. */
const takenOf = ({ page }: Seat) => page.evaluate(() => document.documentElement.dataset['taken'])

/** Closes a seat, whatever else is complained of. */
async function giveUp(seat: Seat): Promise<void> {
  await seat.close()
  seat.complaints()
}

describe('the policy of the page', () => {
  it('lets nothing in but what is its own', async () => {
    const answer = await fetch(dashboard.service.apiUrl, { headers: { accept: 'text/html' } })
    expect(answer.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
  })

  it('refuses each attack, and a test is told of it', async () => {
    const seat = await dashboard.open()
    await seat.go('')
    for (const { what, run, complaint } of attempts) {
      seat.complaints()
      await attempt(seat, run)
      let told = ''
      const listen = () => {
        told += seat.complaints().join('\n')
        return told
      }
      await expect.poll(listen, { message: what }).toMatch(complaint)
      expect([what, await takenOf(seat)]).toEqual([what, undefined])
    }
    await giveUp(seat)
  })

  it('control: is what stops them: without it each of them runs', async () => {
    const seat = await dashboard.open()
    await seat.page.route('**/acme', async (route) => {
      const response = await route.fetch()
      const headers = response.headers()
      delete headers['content-security-policy']
      await route.fulfill({ response, headers })
    })
    await seat.go('')
    for (const { run, leaves } of attempts) {
      await attempt(seat, run)
      await expect.poll(() => takenOf(seat)).toBe(leaves)
    }
    await giveUp(seat)
  })
})
