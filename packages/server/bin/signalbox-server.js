#!/usr/bin/env node
// Kept outside of dist so that npm finds it to link before anything is built.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Beside the code, and as trusted as it: who can write there can change what runs. Where nobody can, each start compiles anew.
enableCompileCache(fileURLToPath(new URL('../.cache', import.meta.url)))
await import('../dist/main.js')
