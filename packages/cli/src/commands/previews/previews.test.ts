import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()
let parentId: string

beforeAll(async () => {
  parentId = (await server.call<{ id: string }>('GET', '/environments/staging')).id
  await server.call('POST', '/deployments', {
    repository: 'acme/shop',
    sha: 'a'.repeat(40),
    ref: 'main',
    environment: 'staging',
    state: 'success',
  })
})

const create = (...args: readonly string[]) =>
  place.run(['previews', 'create', '--repository', 'acme/shop', ...args])

describe('previews', () => {
  it('says which rule is missing, and makes none', async () => {
    const result = await create('--pull-request', '7')
    expect(result.code).not.toBe(0)
    expect(result.stderr).toContain('No rule of previews is for acme/shop.')
    expect((await place.run(['previews'])).stdout).toContain('There are no previews.')
  })

  it('makes one with its keys, which it shows once, and lists it', async () => {
    await server.call('POST', '/preview-rules', { pattern: 'pr-*', parentId })
    const made = await create('--pull-request', '7')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toMatch(/The preview is pr-7, env_\w+\n {2}server key, .*: sbx_m2m_/)
    const again = await create('--pull-request', '7')
    expect(again.stdout).not.toContain('sbx_')
    expect((await place.run(['previews'])).stdout).toMatch(/pr-7 +acme\/shop +#7 +lives/)
  })

  it('appends the keys to a file for the next steps of a job, and prints none', async () => {
    const file = join(place.directory, 'job.env')
    const result = await create('--pull-request', '8', '--env-file', file)
    expect(result.stdout).not.toContain('sbx_')
    expect(readFileSync(file, 'utf8')).toMatch(
      /^SIGNALBOX_ENVIRONMENT_ID=env_\w+\nSIGNALBOX_TOKEN=sbx_m2m_\w+\nSIGNALBOX_BROWSER_KEY=sbx_b2m_\w+\n$/,
    )
    const again = await create('--pull-request', '8', '--env-file', file)
    expect(again.stderr).toContain('--renew-keys')
  })

  it('deletes one by its name', async () => {
    expect(await place.run(['previews', 'delete', 'pr-8', '--yes'])).toMatchObject({ code: 0 })
    expect((await place.run(['previews'])).stdout).not.toContain('pr-8')
  })

  it('lists one that a deployment has made', async () => {
    await server.call('POST', '/deployments', {
      repository: 'acme/shop',
      sha: 'b'.repeat(40),
      ref: 'feature',
      environment: 'pr-9',
      state: 'success',
    })
    const list = async () => (await place.run(['previews'])).stdout
    await expect.poll(list, { timeout: 20_000 }).toMatch(/pr-9 +acme\/shop +#9 +lives/)
  })

  it('says what is missing outside of a pipeline', async () => {
    const result = await place.run(['previews', 'create', '--repository', 'acme/shop'])
    expect(result.code).toBe(2)
    expect(result.stderr).toContain('--pull-request <number>')
  })
})
