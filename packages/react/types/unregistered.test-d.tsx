// A project that has registered nothing: any key, any value.
import { ConfigProvider, useFeatureFlag, usePublicConfig } from '@signalbox/react'
import { expectSame } from '../../config/types/expect-type.ts'

export function Reads() {
  const value = usePublicConfig('whatever')
  expectSame<typeof value, string | number | boolean>(true)
  const flag = useFeatureFlag('whatever')
  expectSame<typeof flag, boolean>(true)
  return <ConfigProvider schemaId="sch_x" environmentId="env_x" defaults={{ whatever: 1 }} />
}
