import { scimPatch, type ScimResource } from 'scim-patch'
import { describe, expect, it } from 'vitest'
import { applyPatch } from './patch.ts'
import type { Operation } from './testing/open-scim.ts'

const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User']

const ada = () => ({
  schemas,
  userName: 'ada@acme.com',
  externalId: 'A-1',
  displayName: 'Ada',
  name: { givenName: 'Ada', familyName: 'King' },
  emails: [
    { value: 'ada@acme.com', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' },
  ],
  members: [{ value: 'usr_1' }, { value: 'usr_2' }],
  active: true,
})

/** Lists operations as directories send them and RFC 7644 §3.5.2 shows them. */
const sent: readonly (readonly Operation[])[] = [
  [{ op: 'replace', path: 'active', value: false }],
  [{ op: 'replace', value: { active: false } }],
  [{ op: 'Replace', path: 'displayName', value: 'Countess' }],
  [{ op: 'add', path: 'displayName', value: 'Countess' }],
  [{ op: 'replace', path: 'name.familyName', value: 'Lovelace' }],
  [{ op: 'add', path: 'name.formatted', value: 'Ada Lovelace' }],
  [{ op: 'replace', value: { 'name.familyName': 'Lovelace' } }],
  [{ op: 'remove', path: 'displayName' }],
  [{ op: 'remove', path: 'externalId' }],
  [{ op: 'remove', path: 'name.familyName' }],
  [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'countess@acme.com' }],
  [{ op: 'replace', path: 'emails[primary eq true].value', value: 'countess@acme.com' }],
  [
    {
      op: 'replace',
      path: 'emails[type eq "work" and value eq "ada@acme.com"].value',
      value: 'x@acme.com',
    },
  ],
  [{ op: 'remove', path: 'emails[type eq "home"]' }],
  [{ op: 'remove', path: 'emails' }],
  [{ op: 'replace', path: 'emails', value: [{ value: 'one@acme.com' }] }],
  [{ op: 'add', path: 'emails', value: [{ value: 'third@acme.com', type: 'other' }] }],
  [{ op: 'add', path: 'members', value: [{ value: 'usr_3' }] }],
  [{ op: 'remove', path: 'members[value eq "usr_1"]' }],
  [{ op: 'replace', path: 'members', value: [{ value: 'usr_9' }] }],
  [
    { op: 'add', path: 'members', value: [{ value: 'usr_3' }] },
    { op: 'remove', path: 'members[value eq "usr_2"]' },
    { op: 'replace', path: 'userName', value: 'countess@acme.com' },
  ],
]

describe('a patch', () => {
  it.each(sent)('changes what the library scim-patch changes: %j', (...operations) => {
    const body = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: operations,
    }
    const meta = {
      resourceType: 'User',
      created: new Date(0),
      lastModified: new Date(0),
      location: '',
    }
    const resource: ScimResource = { ...ada(), meta }
    // oxlint-disable-next-line typescript/no-explicit-any, typescript/no-unsafe-argument -- its operations are typed more narrowly than what is sent
    const { meta: _, ...expected } = scimPatch(resource, structuredClone(operations) as any)
    expect(applyPatch(ada(), body)).toEqual(expected)
  })

  const meant: readonly (readonly [string, readonly [Operation], object])[] = [
    [
      'Entra ID gives a first address of work',
      [{ op: 'Add', path: 'emails[type eq "work"].value', value: 'a@b.c' }],
      { emails: [{ type: 'work', value: 'a@b.c' }] },
    ],
    [
      'a part of the name is added without a path',
      [{ op: 'add', value: { name: { familyName: 'Lovelace' } } }],
      { name: { givenName: 'Ada', familyName: 'Lovelace' } },
    ],
    [
      'Entra ID removes a member by a value',
      [{ op: 'Remove', path: 'members', value: [{ value: 'usr_1' }] }],
      { members: [{ value: 'usr_2' }] },
    ],
    [
      'a name is written in another case, with its schema',
      [{ op: 'replace', path: `${schemas[0]}:DISPLAYNAME`, value: 'Countess' }],
      { displayName: 'Countess' },
    ],
    [
      'an attribute of an extension is set',
      [
        {
          op: 'add',
          path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
          value: 'R&D',
        },
      ],
      { displayName: 'Ada', active: true },
    ],
  ]
  it.each(meant)('does what directories mean where %s', (_, operations, changed) => {
    const [{ path = '' }] = operations
    const start = path.startsWith('emails') ? { ...ada(), emails: [] } : ada()
    expect(applyPatch(start, { Operations: operations })).toMatchObject(changed)
  })

  it('leaves what it was given as it was', () => {
    const before = ada()
    applyPatch(before, { Operations: [{ op: 'replace', path: 'name.givenName', value: 'Eve' }] })
    expect(before).toEqual(ada())
  })
})
