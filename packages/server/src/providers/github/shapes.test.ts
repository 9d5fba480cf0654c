import { describe, expect, it } from 'vitest'
import { githubStatus } from './shapes.ts'

const parse = (link: unknown) =>
  githubStatus.parse({
    id: 1,
    state: 'success',
    created_at: '2026-11-22T10:00:00Z',
    environment_url: link,
    log_url: link,
    target_url: 'https://ci.example.com/2',
  })

describe('the addresses of a status', () => {
  it('are pages on the web', () => {
    const link = 'https://ci.example.com/1'
    expect(parse(link)).toMatchObject({ environmentUrl: link, logUrl: link })
  })

  it.each([
    'javascript:alert(1)',
    'JavaScript://ci.example.com/%0aalert(1)',
    'data:text/html,x',
    'vscode://file/etc/passwd',
    'ms-search:query=x',
    'file:///etc/passwd',
    '//ci.example.com',
    'https://',
    ' https://ci.example.com',
    '',
    null,
    7,
  ])('are never %j', (link) =>
    expect(parse(link)).toMatchObject({ environmentUrl: null, logUrl: 'https://ci.example.com/2' }),
  )
})
