import { bundleProgram } from './bundle-program.ts'

/** Puts the service together once, for all tests that start it as a process of its own. */
export default async function setup(): Promise<void> {
  const external = (name: string) => !/^([./#]|@signalbox\/)/.test(name)
  process.env['SIGNALBOX_TEST_SERVICE'] ??= await bundleProgram({ package: 'server', external })
}
