-- Search without marks and case, in all scripts: docs/decisions/0069-search.md.

-- scripts/letter-cases.mjs prints the letters of the two functions.
create function private.upper_letters() returns text
  language sql immutable set search_path = ''
as $$
  select 'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƠƢƤƦƧƩƬƮƯƱƲƳƵƷƸƼǄǅǇǈǊǋǍǏǑǓǕǗǙǛǞǠǢǤǦǨǪǬǮǱǲǴǶǷǸǺǼǾȀȂȄȆȈȊȌȎȐȒȔȖȘȚȜȞȠȢȤȦȨȪȬȮȰȲȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΆΈΉΊΌΎΏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫϏϘϚϜϞϠϢϤϦϨϪϬϮϴϷϹϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӃӅӇӉӋӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖႠႡႢႣႤႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭᎮᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽᎾᎿᏀᏁᏂᏃᏄᏅᏆᏇᏈᏉᏊᏋᏌᏍᏎᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲉᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿḀḂḄḆḈḊḌḎḐḒḔḖḘḚḜḞḠḢḤḦḨḪḬḮḰḲḴḶḸḺḼḾṀṂṄṆṈṊṌṎṐṒṔṖṘṚṜṞṠṢṤṦṨṪṬṮṰṲṴṶṸṺṼṾẀẂẄẆẈẊẌẎẐẒẔẞẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶỸỺỼỾἈἉἊἋἌἍἎἏἘἙἚἛἜἝἨἩἪἫἬἭἮἯἸἹἺἻἼἽἾἿὈὉὊὋὌὍὙὛὝὟὨὩὪὫὬὭὮὯᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾸᾹᾺΆᾼῈΈῊΉῌῘῙῚΊῨῩῪΎῬῸΌῺΏῼΩKÅℲⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫⅬⅭⅮⅯↃⒶⒷⒸⒹⒺⒻⒼⒽⒾⒿⓀⓁⓂⓃⓄⓅⓆⓇⓈⓉⓊⓋⓌⓍⓎⓏⰀⰁⰂⰃⰄⰅⰆⰇⰈⰉⰊⰋⰌⰍⰎⰏⰐⰑⰒⰓⰔⰕⰖⰗⰘⰙⰚⰛⰜⰝⰞⰟⰠⰡⰢⰣⰤⰥⰦⰧⰨⰩⰪⰫⰬⰭⰮⰯⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵⱾⱿⲀⲂⲄⲆⲈⲊⲌⲎⲐⲒⲔⲖⲘⲚⲜⲞⲠⲢⲤⲦⲨⲪⲬⲮⲰⲲⲴⲶⲸⲺⲼⲾⳀⳂⳄⳆⳈⳊⳌⳎⳐⳒⳔⳖⳘⳚⳜⳞⳠⳢⳫⳭⳲꙀꙂꙄꙆꙈꙊꙌꙎꙐꙒꙔꙖꙘꙚꙜꙞꙠꙢꙤꙦꙨꙪꙬꚀꚂꚄꚆꚈꚊꚌꚎꚐꚒꚔꚖꚘꚚꜢꜤꜦꜨꜪꜬꜮꜲꜴꜶꜸꜺꜼꜾꝀꝂꝄꝆꝈꝊꝌꝎꝐꝒꝔꝖꝘꝚꝜꝞꝠꝢꝤꝦꝨꝪꝬꝮꝹꝻꝽꝾꞀꞂꞄꞆꞋꞍꞐꞒꞖꞘꞚꞜꞞꞠꞢꞤꞦꞨꞪꞫꞬꞭꞮꞰꞱꞲꞳꞴꞶꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑𐐒𐐓𐐔𐐕𐐖𐐗𐐘𐐙𐐚𐐛𐐜𐐝𐐞𐐟𐐠𐐡𐐢𐐣𐐤𐐥𐐦𐐧𐒰𐒱𐒲𐒳𐒴𐒵𐒶𐒷𐒸𐒹𐒺𐒻𐒼𐒽𐒾𐒿𐓀𐓁𐓂𐓃𐓄𐓅𐓆𐓇𐓈𐓉𐓊𐓋𐓌𐓍𐓎𐓏𐓐𐓑𐓒𐓓𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐲀𐲁𐲂𐲃𐲄𐲅𐲆𐲇𐲈𐲉𐲊𐲋𐲌𐲍𐲎𐲏𐲐𐲑𐲒𐲓𐲔𐲕𐲖𐲗𐲘𐲙𐲚𐲛𐲜𐲝𐲞𐲟𐲠𐲡𐲢𐲣𐲤𐲥𐲦𐲧𐲨𐲩𐲪𐲫𐲬𐲭𐲮𐲯𐲰𐲱𐲲𐵐𐵑𐵒𐵓𐵔𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣𐵤𐵥𑢠𑢡𑢢𑢣𑢤𑢥𑢦𑢧𑢨𑢩𑢪𑢫𑢬𑢭𑢮𑢯𑢰𑢱𑢲𑢳𑢴𑢵𑢶𑢷𑢸𑢹𑢺𑢻𑢼𑢽𑢾𑢿𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸𞤀𞤁𞤂𞤃𞤄𞤅𞤆𞤇𞤈𞤉𞤊𞤋𞤌𞤍𞤎𞤏𞤐𞤑𞤒𞤓𞤔𞤕𞤖𞤗𞤘𞤙𞤚𞤛𞤜𞤝𞤞𞤟𞤠𞤡'
$$;
comment on function private.upper_letters() is 'All letters that have a lower case, except those of ASCII and İ, in the order of lower_letters().';
revoke execute on function private.upper_letters() from public, anon, authenticated;
grant execute on function private.upper_letters() to authenticated, service_role;

create function private.lower_letters() returns text
  language sql immutable set search_path = ''
as $$
  select 'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĳĵķĺļľŀłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷÿźżžɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵơƣƥʀƨʃƭʈưʊʋƴƶʒƹƽǆǆǉǉǌǌǎǐǒǔǖǘǚǜǟǡǣǥǧǩǫǭǯǳǳǵƕƿǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșțȝȟƞȣȥȧȩȫȭȯȱȳⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳάέήίόύώαβγδεζηθικλμνξοπρστυφχψωϊϋϗϙϛϝϟϡϣϥϧϩϫϭϯθϸϲϻͻͼͽѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӂӄӆӈӊӌӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳӵӷӹӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽᲊაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕßạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹỻỽỿἀἁἂἃἄἅἆἇἐἑἒἓἔἕἠἡἢἣἤἥἦἧἰἱἲἳἴἵἶἷὀὁὂὃὄὅὑὓὕὗὠὡὢὣὤὥὦὧᾀᾁᾂᾃᾄᾅᾆᾇᾐᾑᾒᾓᾔᾕᾖᾗᾠᾡᾢᾣᾤᾥᾦᾧᾰᾱὰάᾳὲέὴήῃῐῑὶίῠῡὺύῥὸόὼώῳωkåⅎⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹⅺⅻⅼⅽⅾⅿↄⓐⓑⓒⓓⓔⓕⓖⓗⓘⓙⓚⓛⓜⓝⓞⓟⓠⓡⓢⓣⓤⓥⓦⓧⓨⓩⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐⱑⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶȿɀⲁⲃⲅⲇⲉⲋⲍⲏⲑⲓⲕⲗⲙⲛⲝⲟⲡⲣⲥⲧⲩⲫⲭⲯⲱⲳⲵⲷⲹⲻⲽⲿⳁⳃⳅⳇⳉⳋⳍⳏⳑⳓⳕⳗⳙⳛⳝⳟⳡⳣⳬⳮⳳꙁꙃꙅꙇꙉꙋꙍꙏꙑꙓꙕꙗꙙꙛꙝꙟꙡꙣꙥꙧꙩꙫꙭꚁꚃꚅꚇꚉꚋꚍꚏꚑꚓꚕꚗꚙꚛꜣꜥꜧꜩꜫꜭꜯꜳꜵꜷꜹꜻꜽꜿꝁꝃꝅꝇꝉꝋꝍꝏꝑꝓꝕꝗꝙꝛꝝꝟꝡꝣꝥꝧꝩꝫꝭꝯꝺꝼᵹꝿꞁꞃꞅꞇꞌɥꞑꞓꞗꞙꞛꞝꞟꞡꞣꞥꞧꞩɦɜɡɬɪʞʇʝꭓꞵꞷꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸𐐹𐐺𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏𐓘𐓙𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯𐓰𐓱𐓲𐓳𐓴𐓵𐓶𐓷𐓸𐓹𐓺𐓻𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊𐳋𐳌𐳍𐳎𐳏𐳐𐳑𐳒𐳓𐳔𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯𐳰𐳱𐳲𐵰𐵱𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎𑣏𑣐𑣑𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛𑣜𑣝𑣞𑣟𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾𞤿𞥀𞥁𞥂𞥃'
$$;
comment on function private.lower_letters() is 'The lower case of each of upper_letters().';
revoke execute on function private.lower_letters() from public, anon, authenticated;
grant execute on function private.lower_letters() to authenticated, service_role;

-- The same as foldCase() in src/shared/search-key.ts. lower() depends on the locale of the database, and leaves
-- letters that it does not know.
create function private.fold_case(written text) returns text
  language plpgsql immutable strict set search_path = ''
as $$
declare
  folded constant text := replace(lower(translate(written, 'Iİ', 'ii')), 'ς', 'σ');
begin
  if folded ~ ('[' || private.upper_letters() || ']') then
    return translate(folded, private.upper_letters(), private.lower_letters());
  end if;
  return folded;
end
$$;
comment on function private.fold_case(text) is 'The text in lower case, letter by letter, the same in databases of all locales. Topics are compared in it.';
revoke execute on function private.fold_case(text) from public, anon, authenticated;
grant execute on function private.fold_case(text) to authenticated, service_role;

-- The same as searchKey() in src/shared/search-key.ts; scripts/character-class.mjs prints the ranges.
create function private.search_key(written text) returns text
  language plpgsql immutable strict set search_path = ''
as $$
begin
  if octet_length(written) = char_length(written) then
    return lower(written collate "C");
  end if;
  -- U+034F keeps Korean letters apart that are written one by one.
  return translate(
    replace(replace(replace(
      private.fold_case(normalize(
        regexp_replace(
          normalize(regexp_replace(written, '([\u3131-\u318e\uffa0-\uffdc])', U&'\\1\034f', 'g'), nfkd),
          '[\u00ad\u0300-\u034e\u0350-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u0897-\u089f\u08ca-\u08e1\u08e3-\u08ff\u0951-\u0954\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u1ab0-\u1abd\u1abf-\u1aeb\u1cd0-\u1cd2\u1cd4-\u1ce0\u1ce2-\u1ce8\u1ced\u1cf4\u1cf8-\u1cf9\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20dc\u20e1\u20e5-\u20f0\u2de0-\u2dff\u302a-\u302d\u3164\ua66f\ua674-\ua67d\ua69e-\ua69f\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff0-\ufff8\U000101fd\U000102e0\U00010efa-\U00010eff\U0001133b\U0001bca0-\U0001bca3\U0001cf00-\U0001cf46\U0001d167-\U0001d169\U0001d173-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001e08f\U000e0000-\U000e0fff]+',
          '', 'g'
        ),
        nfc
      )),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
    U&'ðđħıłø\034f', 'ddhilo'
  );
end
$$;
comment on function private.search_key(text) is
  'What two texts have in common that differ only in marks, case and compatible forms. Empty if nothing else is in the text.';
revoke execute on function private.search_key(text) from public, anon, authenticated;
grant execute on function private.search_key(text) to authenticated, service_role;

create or replace function private.search_profiles(query text)
  returns table (id uuid, username text, full_name text, avatar_url text, avatar_path text)
  language plpgsql stable security definer
  set search_path = '' set plan_cache_mode = 'force_custom_plan' set jit = off
as $$
declare
  most constant integer := 10;
  left_out constant uuid[] := array(select private.my_hidden_ids()) || (select auth.uid());
  wanted constant text := regexp_replace(private.search_key(btrim(query)), '([\\%_])', '\\\1', 'g');
  found_ids uuid[];
begin
  if wanted = '' or wanted is null or not private.is_member() then
    return;
  end if;
  found_ids := array(
    select p.id
    from (
      select f.following_id as member_id from public.follows f
      where f.follower_id = (select auth.uid()) order by f.created_at desc, f.following_id desc limit 1000
    ) as followed
    join public.profiles p on p.id = followed.member_id
    where (p.username like wanted || '%' or private.search_key(p.full_name) like wanted || '%')
      and p.id <> all (left_out)
    order by p.username collate "C" limit most
  );
  if cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where p.username collate "C" like wanted || '%' and p.id <> all (left_out || found_ids)
      order by p.username collate "C" limit most - cardinality(found_ids)
    );
  end if;
  if cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where private.search_key(p.full_name) collate "C" like wanted || '%' and p.id <> all (left_out || found_ids)
      order by private.search_key(p.full_name) collate "C" limit most - cardinality(found_ids)
    );
  end if;
  if cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where (p.username like '%' || wanted || '%' or private.search_key(p.full_name) like '%' || wanted || '%')
        and p.id <> all (left_out || found_ids)
      limit most - cardinality(found_ids)
    );
  end if;
  return query
    select p.id, p.username, p.full_name, p.avatar_url, p.avatar_path
    from unnest(found_ids) with ordinality as hits (id, place)
    join public.profiles p on p.id = hits.id
    order by hits.place;
end
$$;
comment on function private.search_profiles(text) is
  'At most ten members whose username or full name contains the query, ignoring marks and case: followed members '
  'with this prefix first, then usernames with this prefix, then full names with this prefix, then the others. Stops at ten; reads every member only for '
  'one or two characters with fewer prefix hits.';

create or replace function public.search_messages(
  query text, in_conversation uuid default null, before_at timestamptz default null, before_id uuid default null
)
  returns table (
    id uuid, conversation_id uuid, sender_id uuid, content text, created_at timestamptz, is_match boolean,
    is_last_read boolean
  )
  language sql stable security invoker set search_path = '' set enable_bitmapscan = off set jit = off
as $$
  with start as (
    select coalesce(before_at, 'infinity') as at, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as id,
      case when char_length(private.composed(btrim(query))) between 2 and 100 then private.search_key(btrim(query)) end as wanted
  ), scanned as (
    select candidates.*, row_number() over (order by candidates.created_at desc, candidates.id desc) as place
    from (
      (
        select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
        where in_conversation is null and m.sender_id = (select auth.uid())
          and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
        order by m.created_at desc, m.id desc limit 2000
      )
      union all
      (
        select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
        where in_conversation is null and m.recipient_id = (select auth.uid())
          and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
        order by m.created_at desc, m.id desc limit 2000
      )
      union all
      (
        select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
        where m.conversation_id = in_conversation
          and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
        order by m.created_at desc, m.id desc limit 2000
      )
    ) as candidates
    order by candidates.created_at desc, candidates.id desc limit 2000
  ), found as (
    select s.*, strpos(private.search_key(s.content), (select t.wanted from start t)) > 0 as is_match from scanned s
  )
  select f.id, f.conversation_id, f.sender_id, case when f.is_match then f.content else '' end, f.created_at,
    f.is_match, f.place = 2000
  from found f
  where (select t.wanted from start t) <> '' and (f.is_match or f.place = 2000)
  order by f.created_at desc, f.id desc limit 20
$$;
comment on function public.search_messages(text, uuid, timestamptz, uuid) is
  'At most twenty of the caller''s messages whose text contains the query, ignoring marks and case, newest first, from '
  'before (before_at, before_id); in one conversation if one is given. Reads 2,000 messages at most; the last one read is the last row, whether or not it matches.';

create or replace function private.topics_of(content text, location text)
  returns table (kind text, topic text, label text)
  language sql immutable set search_path = ''
as $$
  (
    select 'hashtag', tag.topic, (array_agg(tag.label order by tag.number))[1]
    from (
      select private.fold_case(found.words[1]) as topic, found.words[1] as label, found.number
      from regexp_matches(private.composed(content), private.hashtag_pattern(), 'g')
        with ordinality as found (words, number)
    ) as tag
    where char_length(tag.topic) <= 50
      and tag.topic !~ '^(?:[\u0030-\u0039\u005f\u0660-\u0669\u06f0-\u06f9\u07c0-\u07c9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0de6-\u0def\u0e50-\u0e59\u0ed0-\u0ed9\u0f20-\u0f29\u1040-\u1049\u1090-\u1099\u17e0-\u17e9\u1810-\u1819\u1946-\u194f\u19d0-\u19d9\u1a80-\u1a89\u1a90-\u1a99\u1b50-\u1b59\u1bb0-\u1bb9\u1c40-\u1c49\u1c50-\u1c59\ua620-\ua629\ua8d0-\ua8d9\ua900-\ua909\ua9d0-\ua9d9\ua9f0-\ua9f9\uaa50-\uaa59\uabf0-\uabf9\uff10-\uff19\U000104a0-\U000104a9\U00010d30-\U00010d39\U00010d40-\U00010d49\U00011066-\U0001106f\U000110f0-\U000110f9\U00011136-\U0001113f\U000111d0-\U000111d9\U000112f0-\U000112f9\U00011450-\U00011459\U000114d0-\U000114d9\U00011650-\U00011659\U000116c0-\U000116c9\U000116d0-\U000116e3\U00011730-\U00011739\U000118e0-\U000118e9\U00011950-\U00011959\U00011bf0-\U00011bf9\U00011c50-\U00011c59\U00011d50-\U00011d59\U00011da0-\U00011da9\U00011de0-\U00011de9\U00011f50-\U00011f59\U00016130-\U00016139\U00016a60-\U00016a69\U00016ac0-\U00016ac9\U00016b50-\U00016b59\U00016d70-\U00016d79\U0001ccf0-\U0001ccf9\U0001d7ce-\U0001d7ff\U0001e140-\U0001e149\U0001e2f0-\U0001e2f9\U0001e4f0-\U0001e4f9\U0001e5f1-\U0001e5fa\U0001e950-\U0001e959\U0001fbf0-\U0001fbf9]|[\u00b7\u180b-\u180d\u180f\u200c\u200d\U000e0100-\U000e01ef])+$'
    group by tag.topic order by min(tag.number) limit 30
  )
  union all
  select 'place', private.fold_case(place.name), place.name
  from (select regexp_replace(btrim(private.composed(location)), '\s+', ' ', 'g') as name) as place
  where place.name <> ''
$$;

create or replace function public.count_topic_posts(topic_kind text, topic_name text) returns integer
  language sql stable security invoker set search_path = ''
as $$
  select count(*)::integer
  from (
    select from public.post_topics t
    where t.kind = topic_kind and t.topic = private.fold_case(private.composed(topic_name))
    order by t.created_at desc, t.post_id desc limit 1001
  ) as found
$$;

create or replace function private.words_of(name text) returns text[]
  language sql immutable set search_path = ''
as $$
  select coalesce(array_agg(found.words[1] order by found.number), array[private.search_key(btrim(name))])
  from regexp_matches(translate(private.search_key(name), '_', ' '), private.word_character() || '+', 'g')
    with ordinality as found (words, number)
$$;
comment on function private.words_of(text) is
  'The words of a name as search keys, without underscores, punctuation and symbols. A name of symbols only is one word.';

-- Topics from before: only texts with other than ASCII characters can have different ones, and only different rows are written.
with read as materialized (
  select p.id, p.user_id, p.content, p.location, p.audience, p.created_at from public.posts p
  where p.content ~ '[#\uff03]' and p.content ~ '[^\u0001-\u007f]' or p.location ~ '[^\u0001-\u007f]'
), found as materialized (
  select r.id, r.user_id, r.audience, r.created_at, t.kind, t.topic, t.label
  from read r cross join lateral private.topics_of(r.content, r.location) as t
), removed as (
  delete from public.post_topics t
  where t.post_id in (select r.id from read r)
    and not exists (select from found f where f.id = t.post_id and f.kind = t.kind and f.topic = t.topic)
)
insert into public.post_topics (user_id, post_id, kind, topic, label, audience, created_at)
  select f.user_id, f.id, f.kind, f.topic, f.label, f.audience, f.created_at from found f
  on conflict (post_id, kind, topic) do update set label = excluded.label where post_topics.label <> excluded.label;

-- The app wrote 'İ' in lower case as two characters, so that the follow had no posts.
with corrected as materialized (
  select f.follower_id, f.tag, f.created_at, private.fold_case(private.composed(replace(f.tag, U&'i\0307', 'i'))) as topic
  from public.hashtag_follows f where f.tag ~ '[^\u0001-\u007f]'
), removed as (
  delete from public.hashtag_follows f using corrected c
  where f.follower_id = c.follower_id and f.tag = c.tag and c.topic <> c.tag
)
insert into public.hashtag_follows (follower_id, tag, created_at)
  select c.follower_id, c.topic, c.created_at from corrected c
  where c.topic <> c.tag and char_length(c.topic) <= 50
  on conflict do nothing;

delete from private.topic_words where topic ~ '[^\u0001-\u007f]';
insert into private.topic_words
  select w.*
  from (
    select distinct kind, audience, topic from public.post_topics where topic ~ '[^\u0001-\u007f]'
  ) as t
  cross join lateral private.word_rows(t.kind, t.audience, t.topic) as w;
