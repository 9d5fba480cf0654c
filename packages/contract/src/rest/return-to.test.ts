import { describe, expect, it } from 'vitest'
import { z } from 'zod/v4'
import { endpoints, integrationEndpoints, type EndpointShape } from './index.ts'

const { query } = integrationEndpoints.authorizeIntegration
/** Every place in which an endpoint takes a way back. */
const places = (Object.values(endpoints) as readonly EndpointShape[]).flatMap((endpoint) =>
  [endpoint.query, endpoint.body].flatMap((given) => {
    const returnTo = given instanceof z.ZodObject && given.shape['returnTo']
    return returnTo instanceof z.ZodType ? [{ name: endpoint.operationId, returnTo }] : []
  }),
)
const ours = 'https://signalbox.example.com'

/** Ways to write an address of somebody else, or of a program, where a path is asked for. */
const hostile = [
  '//e.test',
  '///e.test',
  '////e.test',
  '//e.test/a',
  '//e.test@a',
  '//a@e.test',
  '//e.test:80',
  String.raw`/\e.test`,
  String.raw`\/e.test`,
  String.raw`\\e.test`,
  String.raw`/\/e.test`,
  String.raw`/\\e.test`,
  String.raw`/a\..\\e.test`,
  String.raw`/.\/e.test`,
  '/\u0000/e.test',

  '/\t/e.test',
  '\t//e.test',
  '/\t\t/e.test',
  '/\n/e.test',
  '\n//e.test',
  '/\r/e.test',
  '/\r\n/e.test',
  '/\u0008/e.test',
  '/\u001f/e.test',
  '/\u007f/e.test',
  '/\u0085/e.test',
  '/\u009f/e.test',

  ' //e.test',
  '  https://e.test',
  'https:e.test',
  'https:/e.test',
  'https://e.test',
  'http://e.test',
  'HTTPS://e.test',
  'https:\\\\e.test',
  'https:///e.test',
  'ftp://e.test',
  'ws://e.test',

  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\tscript:alert(1)',
  'javascript://%0aalert(1)',

  'data:text/html,x',
  'data:text/html;base64,eA==',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:x',

  'mailto:a@e.test',
  'view-source:https://e.test',
  'e.test',
  'e.test/a',
  '.e.test',
  './e',
  '../e',

  '@e.test',
  ':80',
  '?next=//e.test',
  '#//e.test',
  '',
  ' ',
  '/a\r\nSet-Cookie: a=b',
  '/a\nLocation: //e',
  '\u3002e.test',
  '\uff0f\uff0fe.test',
  '/'.padEnd(2_001, 'a'),
]

const paths = [
  '/',
  '/a',
  '/a/b?c=d#e',
  '/%2f%2fe.test',
  '/a//b',
  '/@e.test',
  '/a:b',
  '/?next=//e.test',
  '/über',
]

describe('the way back after connecting or signing in', () => {
  it.each(hostile.map((target) => [JSON.stringify(target), target]))(
    'is never %s',
    (_shown, target) => {
      const taking = places.filter(({ returnTo }) => returnTo.safeParse(target).success)
      expect(taking.map(({ name }) => name)).toEqual([])
    },
  )

  it('is looked for at every endpoint that takes one', () => {
    expect(places.map(({ name }) => name).toSorted()).toEqual([
      'authorizeIntegration',
      'beginOidcConfirm',
      'beginOidcLink',
      'beginOidcSignIn',
      'beginProviderSignIn',
    ])
  })

  it.each(paths)('may be %s, which stays on this server', (target) => {
    expect(query.safeParse({ returnTo: target }).success).toBe(true)
    expect(new URL(target, ours).origin).toBe(ours)
  })

  it.each([
    ['/über', '/%C3%BCber'],
    ['/€?a=ß b#ü', '/%E2%82%AC?a=%C3%9F%20b#%C3%BC'],
    ['/%2f\uD800', '/%2f%EF%BF%BD'],
  ])('is what a header can hold: %s', (target, sent) => {
    expect(query.parse({ returnTo: target })).toEqual({ returnTo: sent })
  })

  it('control: a browser would leave this server for most of what is refused', () => {
    const leaves = hostile.filter((target) => {
      const base = 'https://signalbox.example.com/integrations/chat/oauth/callback'
      return URL.canParse(target, base) && new URL(target, base).origin !== ours
    })
    expect(hostile.length).toBeGreaterThanOrEqual(60)
    expect(leaves.length).toBeGreaterThanOrEqual(35)
  })
})
