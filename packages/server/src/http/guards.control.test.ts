import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'

/** What the framework does by itself: each of these is what one of our guards is there for. */
describe('control: Hono without the kit', () => {
  const app = new Hono()
    .post('/items', async (context) => context.json(await context.req.json()))
    .get('/organizations/:id', (context) => context.text(context.req.param('id')))

  it('takes JSON of any content type, as a form of another site sends it', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const init = { method: 'POST', body: '{"admin":true}', headers: { 'content-type': type } }
      expect((await app.request('/items', init)).status).toBe(200)
    }
  })

  it('takes bodies of any size, with doubled members and __proto__', async () => {
    const body = `{"a":1,"a":2,"__proto__":{"x":1},"pad":"${'x'.repeat(4_000_000)}"}`
    expect((await app.request('/items', { method: 'POST', body })).status).toBe(200)
  })

  it('answers malformed JSON with a 500', async () => {
    const quiet = new Hono()
      .post('/items', async (context) => context.json(await context.req.json()))
      .onError((_error, context) => context.text('failed', 500))
    expect((await quiet.request('/items', { method: 'POST', body: '{' })).status).toBe(500)
  })

  it('routes other spellings of a path, so that a guard by prefix is passed by', async () => {
    const isGuarded = (url: string) =>
      new URL(url, 'http://x').pathname.startsWith('/organizations')
    const spelling = '/%6frganizations/secret'
    expect(isGuarded(spelling)).toBe(false)
    expect(await (await app.request(spelling)).text()).toBe('secret')
  })
})
