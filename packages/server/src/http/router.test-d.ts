import { endpoints } from '@signalbox/contract/rest'
import { expectTypeOf } from 'vitest'
import type { BootstrapActor, UserActor } from './admission/actor.ts'
import { createTestRouter } from './testing/test-router.ts'

const router = createTestRouter()

router.add(endpoints.createOrganization, {
  handle: ({ actor, body, organization }) => {
    expectTypeOf(actor).toEqualTypeOf<UserActor | BootstrapActor>()
    expectTypeOf(body.slug).toEqualTypeOf<string | undefined>()
    expectTypeOf(organization).toEqualTypeOf<undefined>()
    return Promise.resolve({ name: body.name, secret: 'x' })
  },
  present: ({ name, secret }) => {
    expectTypeOf(secret).toEqualTypeOf<string>()
    return { id: name, slug: name, name, createdAt: name }
  },
})

router.add(endpoints.getConfigValues, {
  handle: ({ actor, query, params, organization }) => {
    expectTypeOf(actor.type).toEqualTypeOf<'user' | 'api_key' | 'bootstrap'>()
    expectTypeOf(query.reveal).toEqualTypeOf<boolean>()
    expectTypeOf(params).toEqualTypeOf<Readonly<Record<'org_id', string>>>()
    return Promise.resolve(organization.id)
  },
  present: (id) => ({ schemaId: id, environmentId: id, version: 1, values: {} }),
})

router.add(endpoints.signIn, {
  handle: ({ actor }) => {
    expectTypeOf(actor).toEqualTypeOf<undefined>()
    return Promise.resolve({ id: 'usr_1', name: 'A', email: 'a@b.c' })
  },
  present: (user) => ({ user, expiresAt: '2026-01-01T00:00:00.000Z' }),
})

router.add(endpoints.revokeApiKey, { handle: ({ params }) => Promise.resolve(params.key_id) })

// @ts-expect-error an endpoint with an answer must present it
router.add(endpoints.getEnvironment, { handle: () => Promise.resolve(1) })

const present = (result: number) => ({ id: result })
// @ts-expect-error the answer is not what the endpoint declares
router.add(endpoints.getEnvironment, { handle: () => Promise.resolve(1), present })

// @ts-expect-error there is no such parameter in the path
router.add(endpoints.revokeApiKey, { handle: ({ params }) => Promise.resolve(params.token_id) })
