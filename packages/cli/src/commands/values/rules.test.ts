import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()

const run = (...args: string[]) =>
  place.run(['rules', ...args, '--schema', 'of-rules', '--env', 'development'])
const show = async (key = 'seats') => (await run(key)).stdout
const write = (name: string, content: unknown) =>
  writeFileSync(join(place.directory, name), JSON.stringify(content))
const forPro = [
  { when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }], serve: { value: 50 } },
]

let ids = { schemaId: '', environmentId: '' }
const values = { seats: 5, model: 'small', texts: { title: 'Hi' }, beta: false, checkout: false }

beforeAll(async () => {
  const { id } = await server.call<{ id: string }>('POST', '/config-schemas', {
    name: 'of-rules',
    schema: {
      seats: {
        type: 'number',
        tier: 'public',
        targeted: true,
        constraints: { minimum: 1, maximum: 100 },
      },
      model: { type: 'string', tier: 'public', targeted: true },
      texts: { type: 'json', tier: 'public', targeted: true },
      apiUrl: { type: 'string', tier: 'public' },
      beta: { type: 'boolean', tier: 'featureFlags' },
      checkout: {
        type: 'boolean',
        tier: 'featureFlags',
        variants: [
          { name: 'control', on: false },
          { name: 'blue', on: true },
        ],
      },
      unset: { type: 'boolean', tier: 'featureFlags' },
      byDefault: { type: 'number', tier: 'public', targeted: true, default: 3 },
    },
  })
  const environment = await server.call<{ id: string }>('GET', '/environments/development')
  ids = { schemaId: id, environmentId: environment.id }
})

beforeEach(async () => {
  const none = { seats: null, model: null, texts: null, beta: null, checkout: null }
  await server.call('PUT', '/config-values', { ...ids, values, rules: none })
})

describe('rules', () => {
  it('are shown in their order, replaced after a look at who gets what, and removed', async () => {
    expect(await show()).toContain('Everyone: 5')
    write('pro.json', forPro)
    const replace = (file: string, ...flags: string[]) =>
      run('replace', 'seats', '--file', file, ...flags)
    const preview = await replace('pro.json', '--dry-run')
    expect(preview.stdout).toContain('5 → 5 · 50 where plan is pro')
    expect(await show()).toContain('Everyone: 5')

    expect(await replace('pro.json', '--yes')).toMatchObject({ code: 0 })
    expect(await show()).toMatch(/1\. +Serves 50 where plan is pro +rul_/)
    expect(await show()).toContain('Everyone else: 5')

    // The output of --json is taken back as it is.
    write('same.json', JSON.parse((await run('show', 'seats', '--json')).stdout))
    expect((await replace('same.json', '--yes')).stdout).toContain('the same already')

    write('none.json', [])
    expect(await replace('none.json', '--yes')).toMatchObject({ code: 0 })
    expect(await show()).toContain('Everyone: 5')
  })

  it('are refused with the place, and nothing is stored', async () => {
    write('wrong.json', [...forPro, { when: [], serve: { value: 'many' } }])
    const refused = await run('replace', 'seats', '--file', 'wrong.json', '--yes')
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('Rule 2, serve/value: ')
    write('text.json', 'pro')
    expect((await run('replace', 'seats', '--file', 'text.json')).stderr).toContain(
      'is no JSON list of rules',
    )
    expect((await run('replace', 'seats')).stderr).toContain('--file rules.json')
    expect(await show()).toContain('Everyone: 5')
  })
})

describe('a single rule', () => {
  it('is added, changed, moved and removed by its number or its id, which it keeps', async () => {
    const added = await run(
      'add',
      'seats',
      '--when',
      'plan is pro',
      '--serve',
      '50',
      '--name',
      'pro',
    )
    expect(added).toMatchObject({ code: 0 })
    expect(added.stdout).toContain('✓ Added rule 1 to seats  development v')
    expect(added.stdout).toMatch(/1\. +pro +Serves 50 where plan is pro +rul_/)
    const more = ['--when', 'age >= 18', '--when', 'country in DE, AT', '--serve', '7', '--at', '1']
    expect((await run('add', 'seats', ...more)).stdout).toMatch(
      /1\. +Serves 7 where age is at least 18 and country is one of DE, AT +rul_.+\n2\. +pro /,
    )
    const [, id = ''] = /(rul_\w+)/.exec((await show()).split('\n')[1] ?? '') ?? []

    const changed = await run('change', 'seats', '2', '--serve', '60', '--name', '')
    expect(changed.stdout).toMatch(new RegExp(String.raw`2\. +Serves 60 where plan is pro +${id}`))
    const moved = await run('move', 'seats', id, '--at', '1')
    expect(moved.stdout).toMatch(new RegExp(String.raw`1\. +Serves 60 where plan is pro +${id}`))
    const everyone = await run('change', 'seats', id, '--when', 'everyone')
    expect(everyone.stdout).toContain('Serves 60 for everyone')
    expect(everyone.stdout).toContain('never used: rule 1 decides for everyone')
    expect(await run('remove', 'seats', id)).toMatchObject({ code: 0 })
    expect(await show()).toMatch(/^1\. +Serves 7 .+\nEveryone else: 5$/m)
    await run('add', 'seats', '--when', 'plan is pro', '--serve', '8')
    expect((await run('remove', 'seats', '1', '2')).stdout).toContain('Removed rules 1, 2 of seats')
    expect(await show()).toContain('Everyone: 5')
  })

  it.each([
    ['beta', ['--serve', 'on'], 'On for everyone'],
    ['beta', ['--serve', '12.5%', '--by', 'accountId'], 'On for 12.5% by accountId of everyone'],
    ['checkout', ['--serve', 'blue'], 'Serves blue for everyone'],
    ['checkout', ['--serve', 'off'], 'Off for everyone'],
    [
      'checkout',
      ['--split', 'control=50,blue=50'],
      'Serves control for 50%, blue for 50% of everyone',
    ],
    ['model', ['--split', 'small=90%', '--split', 'a, b=10'], 'Serves small for 90%, a, b for 10%'],
    ['seats', ['--split', '1=33.333,2=66.667'], 'Serves 1 for 33.333%, 2 for 66.667% of everyone'],
    ['texts', ['--serve', '{"title": "Sale"}'], 'Serves {"title":"Sale"} for everyone'],
    [
      'texts',
      ['--split', '{"a":1,"b":2}=50,["a"]=50'],
      'Serves {"a":1,"b":2} for 50%, ["a"] for 50%',
    ],
  ])('serves of %s what %j says', async (key, served, words) => {
    expect(await run('add', key, ...served)).toMatchObject({ code: 0 })
    expect(await show(key)).toContain(words)
  })

  it('is only shown in a dry run, and told to programs with the id that it got', async () => {
    const args = ['add', 'seats', '--when', 'plan is pro', '--serve', '50']
    expect((await run(...args, '--dry-run')).stdout).toContain('5 → 5 · 50 where plan is pro')
    expect(await show()).toContain('Everyone: 5')
    const { stdout } = await run(...args, '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      key: 'seats',
      dryRun: false,
      rules: [{ id: expect.stringMatching(/^rul_/), serve: { value: 50 } }],
    })
  })

  it('is added in production only with its name, and refused by protection as each change is', async () => {
    const environment = await server.call<{ id: string }>('GET', '/environments/production')
    await server.call('PUT', '/config-values', {
      ...ids,
      environmentId: environment.id,
      values: { beta: false },
    })
    const add = (...flags: string[]) =>
      place.run([
        'rules',
        'add',
        'beta',
        '--serve',
        'on',
        '--schema',
        'of-rules',
        '--env',
        'production',
        ...flags,
      ])
    expect(await add()).toMatchObject({ code: 2 })
    expect(await add('--confirm', 'production')).toMatchObject({ code: 0 })
  })

  it.each([
    [['add', 'seats', '--serve', 'many'], 'seats must be a number.'],
    [['add', 'seats', '--serve', '500'], 'Rule 2, serve/value: Use a number of at most 100.'],
    [['add', 'seats', '--serve', '10%'], 'seats must be a number.'],
    [['add', 'seats', '--split', '1=10,2=80'], 'The shares of a split add up to 100.'],
    [['add', 'seats', '--split', '1,2'], '--split: "1,2" is no list of shares.'],
    [['add', 'seats', '--split', '1=50,2=50', '--serve', '5'], 'Use --serve or --split, not both.'],
    [
      ['add', 'seats', '--serve', '5', '--by', 'plan'],
      '--by names the attribute that divides users',
    ],
    [['add', 'seats', '--when', 'plan pro', '--serve', '5'], '--when: "plan pro" is no condition.'],
    [['add', 'seats', '--when', 'in segment absent', '--serve', '5'], 'absent'],
    [['add', 'seats', '--when', 'plan is pro'], 'A rule needs what it serves.'],
    [['add', 'seats', '--serve', '5', '--at', '3'], '--at: "3" is no place in the list.'],
    [['add', 'beta', '--serve', 'maybe'], 'Use on, off or a share such as 10%.'],
    [['add', 'beta', '--split', 'on=10,off=90'], 'Serve a share: --serve 10%'],
    [['add', 'checkout', '--serve', 'blu'], 'Did you mean "blue"?'],
    [['add', 'checkout', '--split', 'blue=50,red=50'], 'checkout has no variant "red".'],
    [['add', 'apiUrl', '--serve', 'x'], 'apiUrl is not targeted'],
    [['add', 'unset', '--serve', 'on'], 'signalbox set unset <value> --env development'],
    [['add', 'byDefault', '--serve', '5'], 'signalbox set byDefault 3 --env development'],
    [['add', 'absent', '--serve', 'on'], 'has no key "absent"'],
    [['change', 'seats', '2', '--serve', '5'], 'seats has 1 rule, and no rule 2.'],
    [['change', 'seats', '0', '--serve', '5'], 'no rule 0'],
    [
      ['change', 'seats', 'rul_01jd2m4x9k0000000000000000', '--serve', '5'],
      'signalbox rules seats',
    ],
    [['change', 'seats', '1'], 'Nothing to change in rule 1.'],
    [['move', 'seats', '1'], '--at 1'],
    [['move', 'seats', '1', '--at', '2'], '--at: "2" is no place in the list.'],
    [['remove', 'seats', '1', '9'], 'no rule 9'],
    [['remove', 'seats'], 'Expected at least'],
  ])(
    'is refused with the place and the remedy, and nothing is stored: %j',
    async (args, message) => {
      await run('add', 'seats', '--when', 'plan is pro', '--serve', '50')
      const before = await Promise.all(['seats', 'beta', 'checkout'].map(show))
      const refused = await run(...args)
      expect(refused.code).not.toBe(0)
      expect(refused.stderr).toContain(message)
      expect(refused.stderr).not.toContain('Something went wrong in signalbox itself')
      expect(await Promise.all(['seats', 'beta', 'checkout'].map(show))).toEqual(before)
    },
  )

  it('waits behind the one that keeps its flag turned off, which stays', async () => {
    await run('add', 'beta', '--when', 'plan is pro', '--serve', 'on')
    await place.run(['turn', 'off', 'beta', '--schema', 'of-rules', '--env', 'development'])
    expect(await show('beta')).toMatch(/1\. .*turned off\n2\. /)
    for (const args of [
      ['remove', 'beta', '1'],
      ['move', 'beta', '2', '--at', '1'],
    ]) {
      expect((await run(...args)).stderr).toContain('signalbox turn on beta')
    }
    expect(await run('change', 'beta', '2', '--serve', '10%')).toMatchObject({ code: 0 })
    const on = ['turn', 'on', 'beta', '--schema', 'of-rules', '--env', 'development']
    expect(await place.run(on)).toMatchObject({ code: 0 })
    expect(await show('beta')).toMatch(
      /^1\.  On for 10% where plan is pro .+\nEveryone else: off$/m,
    )
  })
})
