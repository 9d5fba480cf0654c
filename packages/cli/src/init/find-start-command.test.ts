import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findStartCommand } from './find-start-command.ts'

const directory = mkdtempSync(join(tmpdir(), 'signalbox-start-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

it.each([
  ['a Vite project', { scripts: { dev: 'vite', build: 'vite build' } }, 'npm run dev'],
  ['a Next.js project', { scripts: { start: 'next start', dev: 'next dev' } }, 'npm run dev'],
  ['a program with a start script', { scripts: { start: 'node app.js' } }, 'npm run start'],
  ['a program with an entry', { main: 'dist/index.js', scripts: {} }, 'node dist/index.js'],
  ['an entry that a shell would read', { main: 'a; rm -rf /' }, 'node server.js'],
  ['a manifest of another shape', { scripts: ['dev'], main: 1 }, 'node server.js'],
])('the command that starts %s is what its package.json says', async (_, manifest, command) => {
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest))
  expect(await findStartCommand(directory)).toBe(command)
})

it('the command without a package.json is that of the guide', async () => {
  expect(await findStartCommand(join(directory, 'nowhere'))).toBe('node server.js')
})
