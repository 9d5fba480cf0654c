#!/usr/bin/env node
// Kept outside of dist so that npm finds it to link before anything is built, and plain enough for any Node to run.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`signalbox needs Node 20.19 or newer; this is ${process.versions.node}.\n`)
  process.exit(2)
}
import('../dist/main.js').catch((error) => {
  const unbuilt = error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes('dist')
  process.stderr.write(unbuilt ? 'signalbox is not built yet: npm run build\n' : `${error.stack}\n`)
  process.exit(1)
})
