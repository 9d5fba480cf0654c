// A project that has registered nothing: no name compiles, so that neither a misspelt key nor a secret does.
import type { AnyConfig } from '@signalbox/config'
import { ConfigProvider, createBindings, useFeatureFlag, usePublicConfig } from '@signalbox/react'
import { expectSame } from '../../config/types/expect-type.ts'

export function Reads() {
  // @ts-expect-error: no definition is registered
  usePublicConfig('whatever')
  // @ts-expect-error: nor is a flag
  useFeatureFlag('whatever')
  return <ConfigProvider schemaId="sch_x" environmentId="env_x" />
}

// A program that says so reads any key, with any value.
const any = createBindings<AnyConfig>()

export function ReadsAny() {
  const value = any.usePublicConfig('whatever')
  expectSame<typeof value, string | number | boolean>(true)
  const flag = any.useFeatureFlag('whatever')
  expectSame<typeof flag, boolean>(true)
  return <any.ConfigProvider schemaId="sch_x" environmentId="env_x" defaults={{ whatever: 1 }} />
}
