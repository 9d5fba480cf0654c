/**
 * Holds words of letters that are common in leaked passwords: the first thousand by frequency, without those that are no words
 * for a source file. Their source is the public list that Royce Williams selected from Pwned Passwords, whose counts may be used
 * without a license.
 */
export const commonWords: ReadonlySet<string> = new Set(
  `
  abcd abcde abcdef abcdefg abcdefgh abigail access adgjmptw adidas admin administrator adrian adriana albert
  alberto alejandra alejandro aleksandr alessandro alex alexander alexandra alexandre alexis alicia allison alyssa
  amanda amelia america amoremio amsterdam anastasia anderson andrea andrei andres andrew andrey angel angela
  angelica angelina angelo angels anhyeuem animal anthony anton antonio apollo apple apples argentina arnold
  arsenal arthur asdasd asdasdasd asdf asdfasdf asdfg asdfgh asdfghj asdfghjk asdfghjkl asdfjkl asdzxc ashley
  audrey august aurora austin australia avatar awesome azerty azertyuiop baby babyboy babydoll babygirl badboy
  badoo bailey baller bambam banana bandit barbara barbie barcelona barney baseball basket basketball batman
  baxter beatles beatrice beautiful beauty bella benfica benjamin bestfriend bianca bigboy bigdaddy bigdog billy
  bismillah biteme blabla black blahblah blessed blessing blondie blue bobby bonjour bonnie booger boomer boston
  bradley brandon brandy brenda brian brianna britney brittany brooke brooklyn brother bubble bubbles buddy
  bulldog bulldogs business buster butter buttercup butterfly california calvin camaro cambiami cameron camila
  camille canada cancer candy captain carlos carmen carolina caroline carpediem carter casanova casper cassie
  catdog catherine celine celtic champion chance changeme charles charlie charlotte charmed cheese chelsea cherry
  chester cheyenne chicago chichi chicken children chivas chocolat chocolate chouchou chris christ christian
  christina christine christmas christophe christopher church ciaociao cjkysirj cjmasterinf claire claudia
  cocacola coffee colombia colorado compaq computer connor cookie cookies cool cooper copper corazon corvette
  coucou courtney cowboy cowboys creative cricket cristian cristina crystal cthutq cupcake cutiepie daisy dakota
  dallas damian dancer danger daniel daniela danielle danny darkness darling david dbrnjhbz debbie december
  default denise dennis destiny dexter diablo diamond diamonds diesel digital dinosaur diosesfiel disney doctor
  dolphin dolphins dominic domino donald donkey doudou douglas dragon dragonball dreamer dreams drowssap eagles
  eclipse eduardo edward einstein elaine element elena elephant elijah elizabeth emily eminem emmanuel engineer
  england english enigma esther estrella eugene everton evildick exigent facebook falcon family fantasy fashion
  fatboy father fatima felipe fender fernando ferrari fishing fktrcfylh florence florida flower flowers fluffy
  football forest forever france francesca francesco francis francisco frankie franklin freddy freedom friday
  friend friends friendster froggy fyfcnfcbz fylhtq gabriel gabriela gandalf gangsta gangster garcia garfield
  gateway gemini general genesis genius george georgia germany gfhjkm ghbdtn gibson ginger giovanni giuseppe
  gloria godisgood golden goldfish golfer goodluck google gordon grace gracie green greenday gregory guest guitar
  gunner gwerty hallo hammer hamster handsome hannah happiness happy harley harrison harrypotter harvey hawaii
  heather heaven helena hello hellokitty helpme hercules hesoyam hiphop hitman hjvfirf hockey hollywood homelesspa
  honey horses hotdog hotmail hottie hunter icecream iceman idontknow ihateyou ilovegod iloveme iloveu iloveyou
  india indian infinity internet inuyasha ireland isabel isabella isabelle italia jack jackass jackie jackson
  jaguar jamaica james jamesbond january jasmin jasmine jason jasper javier jayden jayjay jeffrey jennifer jenny
  jeremy jerome jessica jessie jesus jesuschrist jetaime jimmy joanna john johncena johnny johnson jonathan jordan
  joseph joshua julian julien junior jupiter justice justin justinbieb justine juventus karate karina katherine
  kathleen katrina kawasaki kelly kelsey kenneth kevin killer kimberly kingdom kingkong kirill kisses kissme
  kitkat kitten kitty klaster knight krishna kristina lacrosse ladybug lakers lastfm lasvegas laura lauren
  lawrence legend legolas leonardo leslie letmein liberty linked linkedin linkinpark little liverpool lizottes
  login logitech lolipop lolita lollipop london lorena lorenzo loser louise loulou love lovelove lovely loveme
  lover loverboy lovers loveyou loving lucky maddie madison madonna madrid maganda maggie magic mahalkita mahalko
  maksim mamapapa manager manchester manman manuel manutd maradona marcel marcus margaret margarita maria mariana
  marie marina marine mario marion mariposa marlboro marley marseille marshall martin martina marvin maryjane
  master matrix matteo matthew maurice maverick maximus maxwell melanie melissa melody mercedes mercury merlin
  metallica mexico michael michel michele michelle mickey microsoft midnight miguel mike milano miller millie
  minecraft minnie miranda mitchell mnbvcxz mohamed molly monday money monica monika monique monkey monster
  montana morgan motdepasse mother motorola mozart muffin muhammad murphy music musica mustang mylove mynoob
  myspace napoli naruto nascar nastya natali natalia natalie natasha nathalie nathan nelson network never newlife
  newyork nfnmzyf nicholas nicola nicolas nicole nikita nintendo nirvana nissan nokia nonmember norman nothing
  november null october oksana oliver olivia omsairam onelove online orange orlando packers pakistan pamela
  panasonic pandora pantera panther paradise parker parola pass passion passport passwd password passwort patches
  patricia patrick pauline peaches peanut pebbles penelope penguin people pepper peter phantom philips phoenix
  pierre piglet pikachu pimpin platinum playboy player please pogiako poiuyt poiuytrewq pokemon police polina
  polska poohbear pookie popcorn porsche portugal potter power precious pretty prince princesa princess promise
  pumpkin purple qawsed qazqaz qazwsx qazwsxedc qazxsw qwaszx qweasd qweasdzxc qweqwe qwer qwerasdf qwert qwerty
  qwertyu qwertyui qwertyuiop qwertz rabbit rachel rafael raiders rainbow rammstein ranger rangers rascal raymond
  realmadrid rebecca redskins redsox reggie regina remember rental rhbcnbyf ricardo richard robbie robert roberto
  rocket rockstar rocky ronald ronaldo ronnie root rosebud runescape ruslan russia ryan sabrina saibaba sairam
  sakura samantha sammy samson samsung samuel sandra santiago santos sarah sasha sasuke saturn savannah sayang
  scarface school scooby scoobydoo scooter scorpio scorpion scotland sebastian secret security september serega
  serena serenity sergey sergio sexy sexyboy shadow shalom shannon sharon shelby shopping shorty siemens sierra
  signalbox silver silvia simona simone simple simpsons single sister skater skippy skittles skyline slayer
  slipknot smile smiles smiley smokey snickers sniper snoopy snowball soccer softball soleil sophia sophie spanky
  sparky spartak speedy spencer spider spiderman spirit spongebob sports spring stalker stanley star stargate
  starwars status steelers stefan stella stephanie stephen sterling steven stonecold strawberry student stupid
  success sultan summer sunday sunflower sunshine super superman superstar suzuki svetlana sweet sweetheart
  sweetie sweetpea sweets sweety swimming swordfish sydney system tamara tanner tatiana taurus taylor teacher
  teddybear temp tennis teresa terminator test thebest theman therock thomas thunder tiffany tiger tigers tigger
  timothy tinker tinkerbell tinkle tintin titanic tomtom toshiba toyota travel travis trevor trinity tristan
  trouble truelove tucker tudelft turtle tweety twilight tyler undertaker unicorn united user valentin valentina
  valentine valeria valerie vampire vanessa vegeta veronica veronika vfhbyf vfrcbv victor victoria victory viking
  viktor vincent violet virginia vkontakte vladimir volleyball vqsablpzla walter warcraft warrior welcome westside
  whatever william williams willie willow wilson windows winner winnie winston winter wisdom wizard woaini
  wolverine wordpass xavier yamaha yankees ybccfy yellow yfnfif zachary zaqwsx zidane zoosk zxcvbn zxcvbnm
`
    .trim()
    .split(/\s+/),
)

/** Holds common passwords of twelve characters and more that no rule finds. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  0r968ji9ufj6 111222tianya 123admin321a 520love101182 5532361cnjqrf administrator arabella24630 avrillavigne
  combat123654 cosmopolitan counterstrike demon1q2w3e4r demon1q2w3e4r5t dfg5fhg5vgfh1 doomsayer.2.7mords.v
  doomsayer.2.7mords.vv edwardcullen ezekiel11991 fallen_angel finalfantasy g13916055158 gettherefast
  ghbdtnrfrltkf ghhh47hj7649 googletester hawkesbury93 ichliebedich ihatethisgame ilovemyfamily inactive1996aug
  ingodwetrust international internazionale jesuslovesme jkiuztdftl57 john!20130605at1753 jundian2011xr
  justinbieber kartoffelpuffer knackwurst8853 laurel12creek leavemealone leliane50934 lightpower12345
  lydcc20091314 m01759766727 maprchem56458 marek14michal megaparol12345 migrationschool moderncombat n8zgt5p0shw=
  natiichen999 needforspeed neworleans12345 onedirection pe#5gz29ptzmse playstation2 playstation3 professional
  projectsadminx przyjaciolki qwegta13091990 residentevil s8ylpe9jdpvym sdf7asdf6asdg8df seniseviyorum
  sojdlg123aljg somanypickles27 sonnenschein sonyericsson startfinding starwarsfan10 stefangreil1983 stratocaster
  supernatural telechargement total12scherz transformers vitor1268123 weronika1992 xantria10315 xtseo2011tdx
  yandi20080527 yemi19900911 yfdbufnjh10305070 zmx870919123
`
    .trim()
    .split(/\s+/),
)
