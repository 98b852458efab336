import type { DemoConversation } from './types'

export const DEMO_CONVERSATIONS: readonly DemoConversation[] = [
  {
    between: ['mara', 'noor'],
    messages: [
      { from: 'noor', minutesAgo: 2980, text: 'the one with the stars. how' },
      { from: 'mara', minutesAgo: 2971, text: 'Patience, and a dog asleep on my feet', reaction: '😂' },
      { from: 'mara', minutesAgo: 2970, text: 'I can print it for you if you like. 30 × 40, baryta.' },
      {
        from: 'noor',
        minutesAgo: 2955,
        text: 'I have exactly one wall without a crack in it and it is now reserved',
      },
      { from: 'noor', minutesAgo: 1510, text: 'so I am off from the 14th to the 17th' },
      { from: 'mara', minutesAgo: 1498, text: 'That is the full moon weekend' },
      { from: 'noor', minutesAgo: 1497, text: 'I know 👀' },
      {
        from: 'mara',
        minutesAgo: 1490,
        text: 'Train at 6:40, the bus from Covilhã at 9:15, then two hours up. I bring the stove, you bring the tripod. Boots that have been worn before, please.',
      },
      {
        from: 'noor',
        minutesAgo: 1460,
        text: 'define worn',
        answers:
          'Train at 6:40, the bus from Covilhã at 9:15, then two hours up. I bring the stove, you bring the tripod. Boots that have been worn before, please.',
      },
      { from: 'mara', minutesAgo: 1455, text: 'Not the hospital clogs' },
      {
        from: 'noor',
        minutesAgo: 190,
        text: 'saw the ridges. fine. I am coming.',
        shares: 'ridges',
        reaction: '❤️',
      },
      { from: 'mara', minutesAgo: 176, text: 'I knew the coffee would do it' },
      {
        from: 'noor',
        minutesAgo: 52,
        text: 'you and your slow trains. is that the good coffee or the platform one',
        story: '7f2a1c00-5d0e-4a00-9000-000000000001',
      },
      { from: 'mara', minutesAgo: 47, text: 'Platform. I have regrets.', reaction: '😂' },
      { from: 'noor', minutesAgo: 24, text: 'Saturday then?', unread: true },
    ],
  },
  {
    between: ['tomasz_w', 'mara'],
    messages: [
      {
        from: 'tomasz_w',
        minutesAgo: 5900,
        text: 'Would you let us use the startrails picture for the exhibition invitation?',
      },
      { from: 'mara', minutesAgo: 5840, text: 'Gladly. Do you need the big file?' },
      { from: 'tomasz_w', minutesAgo: 5832, text: 'Please. And your name as you want it written.' },
      { from: 'mara', minutesAgo: 5810, text: 'Mara Quintela, nothing fancy. Sending it tonight.' },
      {
        from: 'mara',
        minutesAgo: 5260,
        text: 'A small one to lay the card out with. The big one is on its way.',
        picture: 'startrails',
        reaction: '🔥',
      },
      {
        from: 'tomasz_w',
        minutesAgo: 4300,
        text: 'It arrived. The printer asked twice whether the hut is real.',
      },
      { from: 'mara', minutesAgo: 4288, text: 'The hut is real. Anselm’s card luck is not.' },
      {
        from: 'tomasz_w',
        minutesAgo: 410,
        text: 'Proofs are here, and they are beautiful. Opening is on the 28th, there will be pierogi.',
        unread: true,
      },
      { from: 'tomasz_w', minutesAgo: 409, text: 'Bring people who eat.', unread: true },
    ],
  },
  {
    between: ['ilse.k', 'anselm'],
    messages: [
      { from: 'ilse.k', minutesAgo: 7300, text: 'Did you print the one with the fog?' },
      { from: 'anselm', minutesAgo: 7210, text: 'Last night. Grade 2, a little held back in the sky.' },
      { from: 'anselm', minutesAgo: 7209, text: 'Bringing you the contact sheet on Friday.' },
      { from: 'ilse.k', minutesAgo: 2600, text: 'Seen it. The light is unreal.' },
      {
        from: 'ilse.k',
        minutesAgo: 95,
        text: 'Are you home? I have quinces for you to ignore until they are beautiful.',
        unread: true,
      },
    ],
  },
  {
    between: ['mara', 'lucia.mar'],
    messages: [
      { from: 'lucia.mar', minutesAgo: 80, text: 'about that four degree lake of yours' },
      { from: 'lucia.mar', minutesAgo: 79, text: 'is there a ladder or does one jump' },
      { from: 'mara', minutesAgo: 74, text: 'One reconsiders.' },
      { from: 'lucia.mar', minutesAgo: 72, text: 'so, jump', reaction: '😂' },
      {
        from: 'mara',
        minutesAgo: 66,
        text: 'Come in May. I will hold the towel and the camera, in that order.',
        reaction: '❤️',
      },
      { from: 'lucia.mar', minutesAgo: 41, text: 'booked it. Thursday to Monday, and my aunt is coming' },
      { from: 'lucia.mar', minutesAgo: 40, text: 'she is bringing the kite' },
      {
        from: 'mara',
        minutesAgo: 33,
        text: 'Then I am bringing the long lens. Tell her it is for the kite.',
      },
    ],
  },
  {
    between: ['yuki.o', 'mara'],
    messages: [
      { from: 'yuki.o', minutesAgo: 9020, text: 'Which paper was the moonrise on? The blue is so quiet.' },
      {
        from: 'mara',
        minutesAgo: 8950,
        text: 'Matte cotton, and I pulled the blue down twice before I liked it.',
      },
      { from: 'yuki.o', minutesAgo: 8941, text: 'Twice is the right number.' },
      { from: 'mara', minutesAgo: 1290, text: 'First snow already? I counted six fence posts.' },
      { from: 'yuki.o', minutesAgo: 1255, text: 'There are nine. Three are being modest.', reaction: '❤️' },
    ],
  },
  {
    between: ['mara', 'devraj'],
    messages: [
      {
        from: 'devraj',
        minutesAgo: 12_600,
        text: 'Found your moss! Polytrichum, the tall one by the spring.',
      },
      { from: 'mara', minutesAgo: 12_480, text: 'I have been calling it Harold.' },
      { from: 'devraj', minutesAgo: 12_470, text: 'Harold is also accepted.', reaction: '😂' },
    ],
  },
  {
    between: ['devraj', 'noor'],
    isRequest: true,
    messages: [
      {
        from: 'devraj',
        minutesAgo: 215,
        text: 'Hello, Mara says you know where the liverwort grows behind the hospital?',
        unread: true,
      },
      { from: 'devraj', minutesAgo: 214, text: 'I bring my own boots, worn before.', unread: true },
    ],
  },
]
