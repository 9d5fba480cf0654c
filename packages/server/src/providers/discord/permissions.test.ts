import { describe, expect, it } from 'vitest'
import {
  basePermissions,
  channelPermissions,
  has,
  isOpenToAll,
  permissionsInteger,
  wantedPermissions,
  type BotMember,
  type Overwrite,
  type WantedPermission,
} from './permissions.ts'

const bitsOf = (...names: readonly WantedPermission[]) =>
  names.reduce((sum, name) => sum | wantedPermissions[name].bit, 0n).toString()
const [view, send] = [bitsOf('VIEW_CHANNEL'), bitsOf('SEND_MESSAGES')]
const all = bitsOf('VIEW_CHANNEL', 'SEND_MESSAGES')
const member: BotMember = {
  guildId: '1',
  userId: '9',
  roleIds: ['2', '3'],
  roles: [
    { id: '1', permissions: view },
    { id: '2', permissions: send },
    { id: '3', permissions: '0' },
    // It is not the bot's.
    { id: '4', permissions: bitsOf('EMBED_LINKS') },
  ],
}
const role = (id: string, allow: string, deny: string): Overwrite => ({ id, type: 0, allow, deny })
const own = (allow: string, deny: string): Overwrite => ({ id: '9', type: 1, allow, deny })
const maySend = (...overwrites: readonly Overwrite[]) =>
  has(channelPermissions(member, overwrites), 'SEND_MESSAGES')

describe('what the bot may do', () => {
  it('is asked for as the number that Discord documents', () => {
    expect(permissionsInteger).toBe('309237730304')
  })

  it('in the server is what everybody and its own roles may', () => {
    expect(basePermissions(member).toString()).toBe(all)
  })

  it('in a channel follows the exceptions for everybody, then its roles, then itself', () => {
    expect(maySend()).toBe(true)
    expect(maySend(role('1', '0', send))).toBe(false)
    expect(maySend(role('1', '0', send), role('2', send, '0'))).toBe(true)
    expect(maySend(role('2', '0', send))).toBe(false)
    expect(maySend(role('2', '0', send), own(send, '0'))).toBe(true)
    expect(maySend(role('2', send, '0'), own('0', send))).toBe(false)
    // One role that allows counts more than one that denies, in whatever order they are listed.
    expect(maySend(role('2', send, '0'), role('3', '0', send))).toBe(true)
  })

  it('follows no exception for the roles or the person of another', () => {
    expect(maySend(role('4', '0', send))).toBe(true)
    expect(maySend({ ...own('0', send), id: '8' })).toBe(true)
    expect(maySend({ ...own('0', send), type: 0 })).toBe(true)
  })

  it('is nothing in a channel that it does not see, and everything as an administrator', () => {
    const hidden = role('1', '0', view)
    expect(channelPermissions(member, [hidden])).toBe(0n)
    const roles = [...member.roles, { id: '3', permissions: String(1n << 3n) }]
    const rights = channelPermissions({ ...member, roles }, [hidden])
    expect(has(rights, 'SEND_MESSAGES_IN_THREADS')).toBe(true)
  })

  it('says nothing about everybody: a channel that only the bot sees is private', () => {
    const hidden = [role('1', '0', view), own(view, '0')]
    expect(has(channelPermissions(member, hidden), 'VIEW_CHANNEL')).toBe(true)
    expect([isOpenToAll(member, []), isOpenToAll(member, hidden)]).toEqual([true, false])
  })
})
