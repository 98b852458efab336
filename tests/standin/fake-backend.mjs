// Implements the protocol of the embedded backend (src/shared/backend-messages.ts) without a server.
process.on('message', (command) => {
  if (command.type === 'shutdown') {
    process.send({ type: 'stopped' }, () => process.exit(0))
    return
  }
  process.send({
    type: 'ready',
    url: `http://127.0.0.1:${command.port}`,
    port: command.port,
    publishableKey: 'sb_publishable_fake',
    demo: [],
    mailFile: `${command.dataDir}/mails.txt`,
    restoredFrom: null,
  })
})
process.on('disconnect', () => process.exit(0))
