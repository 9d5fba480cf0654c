// A project that has registered nothing: no name compiles, so that neither a misspelt key nor a secret does.
import type { AnyConfig, ConfigValue } from '@signalbox/config'
import { ConfigProvider, createBindings, useFeatureFlag, usePublicConfig } from '@signalbox/react'
import { createContextHooks, useValueFor } from '@signalbox/react/context'
import { expectSame } from '../../config/types/expect-type.ts'

export function Reads() {
  // @ts-expect-error: no definition is registered
  usePublicConfig('whatever')
  // @ts-expect-error: also for one user
  useValueFor('whatever', {})
  // @ts-expect-error: nor is a flag
  useFeatureFlag('whatever')
  return <ConfigProvider schemaId="sch_x" environmentId="env_x" />
}

// A program that says so reads any key, with any value.
const any = createBindings<AnyConfig>()
const decided = createContextHooks<AnyConfig>(any)

export function ReadsAny() {
  const value = any.usePublicConfig('whatever')
  expectSame<typeof value, ConfigValue>(true)
  const forOne = decided.useValueFor('whatever', {})
  expectSame<typeof forOne, ConfigValue>(true)
  const flag = any.useFeatureFlag('whatever')
  expectSame<typeof flag, boolean>(true)
  return <any.ConfigProvider schemaId="sch_x" environmentId="env_x" defaults={{ whatever: 1 }} />
}
