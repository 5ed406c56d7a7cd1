#include <lade/lade.h>

typedef struct {
    int16_t f0;
    int16_t f1;
    int16_t f2;
    int16_t f3;
    int16_t f4;
    int16_t f5;
    int16_t f6;
    int16_t f7;
    int16_t f8;
    int16_t f9;
    int16_t f10;
    int16_t f11;
    int16_t f12;
    int16_t f13;
    int16_t f14;
    int16_t f15;
    int16_t f16;
    int16_t f17;
    int16_t f18;
    int16_t f19;
    int16_t f20;
    int16_t f21;
    int16_t f22;
    int16_t f23;
    int16_t f24;
    int16_t f25;
    int16_t f26;
    int16_t f27;
    int16_t f28;
    int16_t f29;
    int16_t f30;
    int16_t f31;
    int16_t f32;
    int16_t f33;
    int16_t f34;
    int16_t f35;
    int16_t f36;
    int16_t f37;
    int16_t f38;
    int16_t f39;
    int16_t f40;
    int16_t f41;
    int16_t f42;
    int16_t f43;
    int16_t f44;
    int16_t f45;
    int16_t f46;
    int16_t f47;
    int16_t f48;
    int16_t f49;
    int16_t f50;
    int16_t f51;
    int16_t f52;
    int16_t f53;
    int16_t f54;
    int16_t f55;
    int16_t f56;
    int16_t f57;
    int16_t f58;
    int16_t f59;
    int16_t f60;
    int16_t f61;
    int16_t f62;
    int16_t f63;
    int16_t f64;
    int16_t f65;
    int16_t f66;
    int16_t f67;
    int16_t f68;
    int16_t f69;
    int16_t f70;
    int16_t f71;
    int16_t f72;
    int16_t f73;
    int16_t f74;
    int16_t f75;
    int16_t f76;
    int16_t f77;
    int16_t f78;
    int16_t f79;
    int16_t f80;
    int16_t f81;
    int16_t f82;
    int16_t f83;
    int16_t f84;
    int16_t f85;
    int16_t f86;
    int16_t f87;
    int16_t f88;
    int16_t f89;
    int16_t f90;
    int16_t f91;
    int16_t f92;
    int16_t f93;
    int16_t f94;
    int16_t f95;
    int16_t f96;
    int16_t f97;
    int16_t f98;
    int16_t f99;
    int16_t f100;
    int16_t f101;
    int16_t f102;
    int16_t f103;
    int16_t f104;
    int16_t f105;
    int16_t f106;
    int16_t f107;
    int16_t f108;
    int16_t f109;
    int16_t f110;
    int16_t f111;
    int16_t f112;
    int16_t f113;
    int16_t f114;
    int16_t f115;
    int16_t f116;
    int16_t f117;
    int16_t f118;
    int16_t f119;
    int16_t f120;
    int16_t f121;
    int16_t f122;
    int16_t f123;
    int16_t f124;
    int16_t f125;
    int16_t f126;
    int16_t f127;
    int16_t f128;
    int16_t f129;
    int16_t f130;
    int16_t f131;
    int16_t f132;
    int16_t f133;
    int16_t f134;
    int16_t f135;
    int16_t f136;
    int16_t f137;
    int16_t f138;
    int16_t f139;
    int16_t f140;
    int16_t f141;
    int16_t f142;
    int16_t f143;
    int16_t f144;
    int16_t f145;
    int16_t f146;
    int16_t f147;
    int16_t f148;
    int16_t f149;
    int16_t f150;
    int16_t f151;
    int16_t f152;
    int16_t f153;
    int16_t f154;
    int16_t f155;
    int16_t f156;
    int16_t f157;
    int16_t f158;
    int16_t f159;
    int16_t f160;
    int16_t f161;
    int16_t f162;
    int16_t f163;
    int16_t f164;
    int16_t f165;
    int16_t f166;
    int16_t f167;
    int16_t f168;
    int16_t f169;
    int16_t f170;
    int16_t f171;
    int16_t f172;
    int16_t f173;
    int16_t f174;
    int16_t f175;
    int16_t f176;
    int16_t f177;
    int16_t f178;
    int16_t f179;
    int16_t f180;
    int16_t f181;
    int16_t f182;
    int16_t f183;
    int16_t f184;
    int16_t f185;
    int16_t f186;
    int16_t f187;
    int16_t f188;
    int16_t f189;
    int16_t f190;
    int16_t f191;
    int16_t f192;
    int16_t f193;
    int16_t f194;
    int16_t f195;
    int16_t f196;
    int16_t f197;
    int16_t f198;
    int16_t f199;
    int16_t f200;
    int16_t f201;
    int16_t f202;
    int16_t f203;
    int16_t f204;
    int16_t f205;
    int16_t f206;
    int16_t f207;
    int16_t f208;
    int16_t f209;
    int16_t f210;
    int16_t f211;
    int16_t f212;
    int16_t f213;
    int16_t f214;
    int16_t f215;
    int16_t f216;
    int16_t f217;
    int16_t f218;
    int16_t f219;
    int16_t f220;
    int16_t f221;
    int16_t f222;
    int16_t f223;
    int16_t f224;
    int16_t f225;
    int16_t f226;
    int16_t f227;
    int16_t f228;
    int16_t f229;
    int16_t f230;
    int16_t f231;
    int16_t f232;
    int16_t f233;
    int16_t f234;
    int16_t f235;
    int16_t f236;
    int16_t f237;
    int16_t f238;
    int16_t f239;
    int16_t f240;
    int16_t f241;
    int16_t f242;
    int16_t f243;
    int16_t f244;
    int16_t f245;
    int16_t f246;
    int16_t f247;
    int16_t f248;
    int16_t f249;
    int16_t f250;
    int16_t f251;
    int16_t f252;
    int16_t f253;
    int16_t f254;
    int16_t f255;
} most;
LADE_STRUCT(
    most, (value, f0), (value, f1), (value, f2), (value, f3), (value, f4), (value, f5), (value, f6),
    (value, f7), (value, f8), (value, f9), (value, f10), (value, f11), (value, f12), (value, f13),
    (value, f14), (value, f15), (value, f16), (value, f17), (value, f18), (value, f19),
    (value, f20), (value, f21), (value, f22), (value, f23), (value, f24), (value, f25),
    (value, f26), (value, f27), (value, f28), (value, f29), (value, f30), (value, f31),
    (value, f32), (value, f33), (value, f34), (value, f35), (value, f36), (value, f37),
    (value, f38), (value, f39), (value, f40), (value, f41), (value, f42), (value, f43),
    (value, f44), (value, f45), (value, f46), (value, f47), (value, f48), (value, f49),
    (value, f50), (value, f51), (value, f52), (value, f53), (value, f54), (value, f55),
    (value, f56), (value, f57), (value, f58), (value, f59), (value, f60), (value, f61),
    (value, f62), (value, f63), (value, f64), (value, f65), (value, f66), (value, f67),
    (value, f68), (value, f69), (value, f70), (value, f71), (value, f72), (value, f73),
    (value, f74), (value, f75), (value, f76), (value, f77), (value, f78), (value, f79),
    (value, f80), (value, f81), (value, f82), (value, f83), (value, f84), (value, f85),
    (value, f86), (value, f87), (value, f88), (value, f89), (value, f90), (value, f91),
    (value, f92), (value, f93), (value, f94), (value, f95), (value, f96), (value, f97),
    (value, f98), (value, f99), (value, f100), (value, f101), (value, f102), (value, f103),
    (value, f104), (value, f105), (value, f106), (value, f107), (value, f108), (value, f109),
    (value, f110), (value, f111), (value, f112), (value, f113), (value, f114), (value, f115),
    (value, f116), (value, f117), (value, f118), (value, f119), (value, f120), (value, f121),
    (value, f122), (value, f123), (value, f124), (value, f125), (value, f126), (value, f127),
    (value, f128), (value, f129), (value, f130), (value, f131), (value, f132), (value, f133),
    (value, f134), (value, f135), (value, f136), (value, f137), (value, f138), (value, f139),
    (value, f140), (value, f141), (value, f142), (value, f143), (value, f144), (value, f145),
    (value, f146), (value, f147), (value, f148), (value, f149), (value, f150), (value, f151),
    (value, f152), (value, f153), (value, f154), (value, f155), (value, f156), (value, f157),
    (value, f158), (value, f159), (value, f160), (value, f161), (value, f162), (value, f163),
    (value, f164), (value, f165), (value, f166), (value, f167), (value, f168), (value, f169),
    (value, f170), (value, f171), (value, f172), (value, f173), (value, f174), (value, f175),
    (value, f176), (value, f177), (value, f178), (value, f179), (value, f180), (value, f181),
    (value, f182), (value, f183), (value, f184), (value, f185), (value, f186), (value, f187),
    (value, f188), (value, f189), (value, f190), (value, f191), (value, f192), (value, f193),
    (value, f194), (value, f195), (value, f196), (value, f197), (value, f198), (value, f199),
    (value, f200), (value, f201), (value, f202), (value, f203), (value, f204), (value, f205),
    (value, f206), (value, f207), (value, f208), (value, f209), (value, f210), (value, f211),
    (value, f212), (value, f213), (value, f214), (value, f215), (value, f216), (value, f217),
    (value, f218), (value, f219), (value, f220), (value, f221), (value, f222), (value, f223),
    (value, f224), (value, f225), (value, f226), (value, f227), (value, f228), (value, f229),
    (value, f230), (value, f231), (value, f232), (value, f233), (value, f234), (value, f235),
    (value, f236), (value, f237), (value, f238), (value, f239), (value, f240), (value, f241),
    (value, f242), (value, f243), (value, f244), (value, f245), (value, f246), (value, f247),
    (value, f248), (value, f249), (value, f250), (value, f251), (value, f252), (value, f253),
    (value, f254), (value, f255))
