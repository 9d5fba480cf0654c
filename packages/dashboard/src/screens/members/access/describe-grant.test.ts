import { expect, it } from 'vitest'
import { describeGrant, type DescribedGrant } from './describe-grant.ts'

const known = {
  environments: [
    { id: 'env_1', name: 'staging' },
    { id: 'env_2', name: 'production' },
  ],
  schemas: [{ id: 'sch_1', name: 'shop' }],
}
const group = (name: string) => ({ type: 'group', name }) as const
const deployKey = { type: 'api_key', name: 'Deploy keys' } as const
const ada = { type: 'member', name: 'Ada' } as const
const say = (
  subject: DescribedGrant['subject'],
  role: DescribedGrant['role'],
  environmentIds: string[] | null,
  schemaIds: string[] | null,
) => `${subject.name} ${describeGrant({ subject, role, environmentIds, schemaIds }, known)}`

it('a grant is said as a sentence about its group, person or key', () => {
  expect([
    say(group('Developers'), 'editor', ['env_1'], null),
    say(group('Support'), 'reader', ['env_2'], null),
    say(ada, 'developer', null, ['sch_1']),
    say(group('Operators'), 'admin', ['env_2'], null),
    say(ada, 'admin', ['env_1', 'env_2'], ['sch_1']),
    say(ada, 'editor', null, null),
    say(ada, 'reader', null, null),
    say(ada, 'developer', ['env_1'], ['sch_1']),
    say(ada, 'developer', null, null),
    say(group('Compass'), 'admin', null, null),
    say(deployKey, 'editor', ['env_1'], null),
    say(deployKey, 'admin', null, null),
    say(deployKey, 'editor', null, null),
  ]).toEqual([
    'Developers write values in staging, without reading its secrets',
    'Support reads the secrets of production',
    'Ada develops everything in the schema shop',
    'Operators administer production',
    'Ada administers the schema shop in staging and production',
    'Ada writes values everywhere, without reading the secrets',
    'Ada reads every secret',
    'Ada develops everything in the schema shop, in staging',
    'Ada develops everything',
    'Compass administers everything',
    'Deploy keys writes values in staging',
    'Deploy keys administers everything that it is made for',
    'Deploy keys writes values everywhere that it is made for',
  ])
})

it('what a grant names and is deleted is said to be, and never counts as everything', () => {
  expect([
    say(ada, 'admin', ['env_9'], null),
    say(ada, 'reader', ['env_1', 'env_8', 'env_9'], ['sch_9']),
  ]).toEqual([
    'Ada administers a deleted environment',
    'Ada reads the secrets of a deleted schema in staging and 2 deleted environments',
  ])
})

it('names that are not known yet are left open', () => {
  const grant = { subject: ada, role: 'admin', environmentIds: ['env_1'], schemaIds: null } as const
  expect(describeGrant(grant, { environments: undefined, schemas: [] })).toBe('administers …')
})
