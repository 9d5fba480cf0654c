import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tools } from '../packages/server/src/overview/assistants/tools/index.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const guide = read('docs/guide/assistants.md')
const names = tools.map(({ name }) => name)

describe('the guide to assistants', () => {
  it('has configurations that a program can read, without a token in them', () => {
    const blocks = [...guide.matchAll(/```json\n([^`]+)```/g)].map(([, block = '']) => block)
    expect(blocks).toHaveLength(4)
    for (const block of blocks) {
      const { mcpServers, servers } = JSON.parse(block) as Record<
        'mcpServers' | 'servers',
        Record<string, { readonly url?: string; readonly args?: readonly string[] }> | undefined
      >
      const { url, args } = (mcpServers ?? servers)?.['signalbox'] ?? {}
      expect(url ?? args?.join(' ')).toMatch(/\/mcp$|^mcp --server /)
      expect(block).not.toMatch(/sbx_agt_\w{10}/)
    }
  })

  it('lists each tool once, in the order of the tools', () => {
    const listed = [...guide.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
    expect(listed).toEqual(names)
  })
})

describe('the skill file', () => {
  const skill = read('docs/skill.md')

  it('begins with its name and its use, as https://agentskills.io asks', () => {
    expect(skill).toMatch(/^---\nname: signalbox\ndescription: .{100,1024}\n---\n/)
  })

  it('names only tools that are there', () => {
    const named = [...skill.matchAll(/`(\w+_\w+)`/g)].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(4)
    expect(named.filter((name) => !names.includes(name))).toEqual([])
  })
})
